import { z } from "zod";
import { route } from "./route.ts";

/** Longer names and values are cut; they end with "…" then. */
export const flowNameCharacters = 200;
export const flowValueCharacters = 5_000;
const sentenceCharacters = 2_000;

/** Fields of one change, and findings, beyond these numbers are left out. */
export const flowFieldsListed = 100;
export const flowChecksListed = 500;

const name = z.string().max(flowNameCharacters);
const id = z.string().max(flowNameCharacters);
const sentence = z.string().max(sentenceCharacters);
const value = z.string().max(flowValueCharacters).nullable();

const flowComponentKind = z.enum([
  "flow",
  "process-group",
  "processor",
  "input-port",
  "output-port",
  "funnel",
  "label",
  "connection",
  "remote-process-group",
  "remote-port",
  "controller-service",
  "parameter-context",
  "parameter",
  "parameter-provider",
]);
export type FlowComponentKind = z.infer<typeof flowComponentKind>;

/** Names are input of users: show them as text. */
const flowComponent = z.object({
  kind: flowComponentKind,
  /** Unique in its flow. Of a component in both flows: the identifier in the older one. */
  id,
  name,
  /** Class of a processor or controller service, such as `org.apache.nifi.processors.standard.LogAttribute`; else empty. */
  type: name,
  /** Names of the process groups that hold it, outermost first, or of a parameter's context. Empty for the outermost group. */
  groupPath: z.array(name).max(100),
});
export type FlowComponentRef = z.infer<typeof flowComponent>;

const flowFieldChange = z.object({
  /** Technical name, such as `schedulingStrategy` or `properties.Batch Size`. */
  field: z.string().max(flowNameCharacters + 40),
  /** For readers, such as `scheduling strategy` or `Batch Size`. */
  label: z.string().max(flowNameCharacters + 40),
  /** Null: not set. Always null for sensitive fields. */
  before: value,
  after: value,
  /** Only says that the value changed; the sentence says whether it was set, changed or removed. */
  sensitive: z.boolean(),
});
export type FlowFieldChange = z.infer<typeof flowFieldChange>;

const flowChangeCategory = z.enum(["behavior", "layout", "versions"]);
export type FlowChangeCategory = z.infer<typeof flowChangeCategory>;

export const flowChange = z
  .object({
    /** `moved`: to another process group. `changed`: one field of the component. */
    kind: z.enum(["added", "removed", "renamed", "moved", "changed"]),
    category: flowChangeCategory,
    component: flowComponent,
    /** Plain English, for example `The scheduling strategy of processor "Gen" changed from TIMER_DRIVEN to CRON_DRIVEN.` */
    sentence,
    /** One field for `renamed`, `moved` and `changed`; what was set for `added` and `removed`, without layout. */
    fields: z.array(flowFieldChange).max(flowFieldsListed),
  })
  .meta({ id: "FlowChange" });
export type FlowChange = z.infer<typeof flowChange>;

/** Content that cannot be shown as components: a text that is not a flow, or a format that is only shown as text. */
const notComparable = z.object({ outcome: z.literal("not-comparable"), sentence });

/** Of all changes, listed or not. */
export const flowChangeCounts = z.object({ behavior: z.int(), layout: z.int(), versions: z.int() });
export type FlowChangeCounts = z.infer<typeof flowChangeCounts>;

const coordinate = z.number();
/**
 * `changed`: in what it does, or in its name; not in its place or version. A component that moved to another group is `moved` there
 * and `removed` in the group that it left.
 */
const state = z.enum(["added", "removed", "changed", "moved", "same"]);
export type FlowDrawingState = z.infer<typeof state>;

const flowNode = z.object({
  id,
  kind: flowComponentKind,
  name,
  type: name,
  /** Of the top left corner, in NiFi's units, to which the sizes of `flowNode` belong. */
  x: coordinate,
  y: coordinate,
  width: coordinate,
  height: coordinate,
  state,
});
export type FlowNode = z.infer<typeof flowNode>;

const flowEdge = z.object({
  id,
  /** Nodes of the same drawing. A connection to a port of a nested group leads to the node of that group. */
  from: id,
  to: id,
  /** Name of the connection, or its relationships. */
  name,
  bends: z.array(z.object({ x: coordinate, y: coordinate })).max(100),
  state,
});
export type FlowEdge = z.infer<typeof flowEdge>;

const flowGroupDrawing = z.object({
  id,
  name,
  /** Null for the outermost group. */
  parentId: id.nullable(),
  /** `changed` if the group itself changed, such as its name. See `hasChanges`. */
  state,
  /** Whether anything in it or below it changed. */
  hasChanges: z.boolean(),
  nodes: z.array(flowNode),
  edges: z.array(flowEdge),
});
export type FlowGroupDrawing = z.infer<typeof flowGroupDrawing>;

/** One drawing for each process group, the outermost first. */
export const flowDrawing = z
  .discriminatedUnion("outcome", [z.object({ outcome: z.literal("drawn"), groups: z.array(flowGroupDrawing) }), notComparable])
  .meta({ id: "FlowDrawing" });
export type FlowDrawing = z.infer<typeof flowDrawing>;

const flowCheck = z
  .object({
    check: z.enum([
      "readable",
      "flow-definition",
      "size",
      "processor-types",
      "parameters",
      "clear-secrets",
      "disabled-services",
      "dangling-connections",
      "self-loops",
      "unused-parameters",
      "unconnected-processors",
    ]),
    severity: z.enum(["error", "warning", "info", "not-checked", "passed"]),
    sentence,
    /** Null if the finding is about the flow as a whole. */
    component: flowComponent.nullable(),
  })
  .meta({ id: "FlowCheck" });
export type FlowCheck = z.infer<typeof flowCheck>;

/** Never blocks anything. Every check occurs at least once; findings first, the most severe at the top. */
export const flowChecks = z
  .object({ checks: z.array(flowCheck).max(flowChecksListed), counts: z.object({ error: z.int(), warning: z.int(), info: z.int() }) })
  .meta({ id: "FlowChecks" });
export type FlowChecks = z.infer<typeof flowChecks>;

/** At most so many changes in one response. */
const flowChangesPerPage = 500;

const storedId = z.int().min(1).max(2_147_483_647);
const idInPath = z.coerce.number().pipe(storedId);

/** The other side of a comparison with an iteration. */
const comparedIteration = z
  .object({ iterationId: storedId, number: z.int(), requestId: storedId, requestName: z.string() })
  .meta({ id: "FlowComparedIteration" });

const flowChangesPage = z
  .discriminatedUnion("outcome", [
    z.object({
      outcome: z.literal("compared"),
      /** Null: with nothing, so that everything is added. */
      against: comparedIteration.nullable(),
      changes: z.array(flowChange).max(flowChangesPerPage),
      /** Changes of the wanted categories that can be read page by page; fewer than counted in comparisons with very many. */
      total: z.int(),
      counts: flowChangeCounts,
    }),
    notComparable.extend({ against: comparedIteration.nullable() }),
  ])
  .meta({ id: "FlowChangesPage" });
export type FlowChangesPage = z.infer<typeof flowChangesPage>;

const flowCheckEnvironment = z.object({ id: z.string(), displayName: z.string() }).meta({ id: "FlowCheckEnvironment" });

const checkedFlow = flowChecks
  .extend({
    /** When the facts of the environment were read; null if never, or without an environment. */
    seenMs: z.number().nullable(),
  })
  .meta({ id: "CheckedFlow" });

const flowParams = z.object({ group: z.string().max(1_000), flowId: idInPath });
const comparisonQuery = z.object({
  iterationId: idInPath,
  /** `accepted`: what is accepted now; `none`: nothing, so that everything is added; or another iteration of the flow. */
  against: z.union([z.enum(["accepted", "none"]), idInPath]).default("accepted"),
});

/** Comma-separated. */
const categoriesInQuery = z
  .string()
  .max(100)
  .transform((text) => text.split(","))
  .pipe(z.array(flowChangeCategory));

/** Differences between iterations. All calls are limited to members of the group; iterations of other flows are not found. */
export const flowDifferences = {
  changes: route({
    method: "GET",
    path: "/flowGroups/:group/flows/:flowId/changes",
    access: "signed-in",
    summary: "The changes of an iteration against the accepted content of the flow, another iteration or nothing, as sentences.",
    params: flowParams,
    query: comparisonQuery.extend({
      /** Default: all. */
      categories: categoriesInQuery.optional(),
      offset: z.coerce.number().pipe(z.int().min(0).max(1_000_000)).default(0),
      limit: z.coerce.number().pipe(z.int().min(1).max(flowChangesPerPage)).default(flowChangesPerPage),
    }),
    response: flowChangesPage,
  }),
  drawing: route({
    method: "GET",
    path: "/flowGroups/:group/flows/:flowId/drawing",
    access: "signed-in",
    summary: "The same comparison as a drawing: the components of each process group and what changed in them.",
    params: flowParams,
    query: comparisonQuery,
    response: flowDrawing,
  }),
  checks: route({
    method: "GET",
    path: "/flowGroups/:group/flows/:flowId/checks",
    access: "signed-in",
    summary:
      "Checks of an iteration before its review, optionally against what an environment had when an administrator last deployed there.",
    params: flowParams,
    query: z.object({ iterationId: idInPath, environmentId: z.string().max(1_000).optional() }),
    response: checkedFlow,
  }),
  environments: route({
    method: "GET",
    path: "/flowGroups/:group/environments",
    access: "signed-in",
    summary: "The environments that iterations can be checked against, by display name.",
    params: z.object({ group: z.string().max(1_000) }),
    response: z.array(flowCheckEnvironment),
  }),
};
