import { type FlowChecks, type FlowDrawing, flowDifferences as contract } from "@fairway/contract/flow-differences";
import { compareNames } from "@fairway/contract/name-order";
import { type Capability, implement } from "#http/capability.ts";
import { enabledEntities } from "#entities/enabled-entities.ts";
import type { EntityChanges } from "#entities/entity-changes.ts";
import { storedTypes } from "#entities/entity-types.ts";
import type { EntityStore } from "#entities/store.ts";
import type { EnvironmentFacts } from "#flow-definitions/check-report.ts";
import type { FlowDefinitions } from "#flow-definitions/flow-definitions.ts";
import type { FlowComparison } from "#flow-definitions/flow-worker.ts";
import type { Handlers } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { cacheSerialized } from "#http/serialized-cache.ts";
import { SharedResults } from "./shared-results.ts";

interface Iteration {
  readonly id: number;
  readonly number: number;
  readonly requestId: number;
  readonly requestName: string;
  readonly flowId: number;
  readonly group: string;
}

interface Flows {
  /** Undefined for an iteration that the user may not know of. */
  locateIteration(user: SignedInUser, iterationId: number): Promise<Iteration | undefined>;
  /** The newest iteration of the flow's main history. */
  locateAcceptedIteration(flowId: number): Promise<Iteration | undefined>;
  findIteration(user: null, iterationId: number): Promise<{ readonly content: string } | undefined>;
  isMember(user: SignedInUser, group: string): Promise<boolean>;
}

interface Parts {
  readonly flows: Flows;
  readonly definitions: Pick<FlowDefinitions, "compare" | "draw" | "check">;
  readonly entities: Pick<EntityStore, "list">;
  readonly entityChanges: Pick<EntityChanges, "subscribe">;
  /** Facts about the NiFi of an environment when it was last asked; undefined if it never was. */
  readonly environmentFacts: (environmentId: string) => Promise<(Omit<EnvironmentFacts, "name"> & { seenMs: number }) | undefined>;
}

/** Characters, about. A comparison of large flows has some 5 million. */
const cachedSize = 60_000_000;

/** Differences between iterations, as sentences and as a drawing, and checks of them. Decision 0465. */
export function openFlowDifferences({ flows, definitions, entities, entityChanges, environmentFacts }: Parts): Capability {
  const environments = enabledEntities(entities, storedTypes.flowEnvironments);
  entityChanges.subscribe((type) => {
    if (type === undefined || type === storedTypes.flowEnvironments.name) environments.forget();
  });
  return { routes: { flowDifferences: implement(contract, handlers({ flows, definitions, environmentFacts, environments })) } };
}

interface HandlerParts extends Pick<Parts, "flows" | "definitions" | "environmentFacts"> {
  readonly environments: ReturnType<typeof enabledEntities<{ name: string; displayName: string }>>;
}

function handlers({ flows, definitions, environmentFacts, environments }: HandlerParts): Handlers<typeof contract> {
  const results = new SharedResults<FlowComparison | FlowDrawing | FlowChecks>({ maxSize: cachedSize, sizeOf });

  /** Iterations of other flows are not found, nor is anything of other groups. */
  const requireIteration = async (user: SignedInUser, { group, flowId }: FlowRef, iterationId: number): Promise<Iteration> => {
    const found = await flows.locateIteration(user, iterationId);
    if (found?.group === group && found.flowId === flowId) return found;
    throw new Refusal("not-found", "There is no such iteration of this flow.");
  };
  const contentOf = async ({ id }: Pick<Iteration, "id">): Promise<string> => {
    const found = await flows.findIteration(null, id);
    if (found === undefined) throw new Refusal("not-found", "There is no such iteration of this flow.");
    return found.content;
  };
  const compared = async (user: SignedInUser, ref: FlowRef, { iterationId, against }: Comparison) => {
    const iteration = await requireIteration(user, ref, iterationId);
    if (typeof against === "number") return { iteration, base: await requireIteration(user, ref, against) };
    return { iteration, base: against === "none" ? undefined : await flows.locateAcceptedIteration(ref.flowId) };
  };
  type Compared = Awaited<ReturnType<typeof compared>>;
  const keyOf = (kind: string, { iteration, base }: Compared) => `${kind} ${iteration.id} ${base?.id ?? "nothing"}`;
  const contentsOf = async ({ iteration, base }: Compared): Promise<[string | null, string]> => [
    base ? await contentOf(base) : null,
    await contentOf(iteration),
  ];

  return {
    changes: async ({ user, params, query, signal }) => {
      const pair = await compared(user, params, query);
      const comparison = (await results.read(keyOf("compare", pair), { owner: user.id, signal }, async (call) =>
        definitions.compare(...(await contentsOf(pair)), call),
      )) as FlowComparison;
      const against = pair.base === undefined ? null : toCompared(pair.base);
      if (comparison.outcome !== "compared") return { ...comparison, against };
      const { categories, offset, limit } = query;
      const wanted = categories ? comparison.changes.filter(({ category }) => categories.includes(category)) : comparison.changes;
      return {
        outcome: "compared",
        against,
        changes: wanted.slice(offset, offset + limit),
        total: wanted.length,
        counts: comparison.counts,
      };
    },
    drawing: async ({ user, params, query, signal }) => {
      const pair = await compared(user, params, query);
      return (await results.read(keyOf("draw", pair), { owner: user.id, signal }, async (call) =>
        cacheSerialized(await definitions.draw(...(await contentsOf(pair)), call)),
      )) as FlowDrawing;
    },
    checks: async ({ user, params, query: { iterationId, environmentId }, signal }) => {
      const iteration = await requireIteration(user, params, iterationId);
      const environment = environmentId === undefined ? undefined : await requireEnvironment(environmentId);
      const facts = environment && (await environmentFacts(environment.name));
      const key = JSON.stringify(["check", iteration.id, facts && environmentId, facts?.seenMs]);
      const checks = (await results.read(key, { owner: user.id, signal }, async (call) =>
        definitions.check(await contentOf(iteration), facts && environment && { ...facts, name: environment.displayName }, call),
      )) as FlowChecks;
      return { ...checks, seenMs: facts?.seenMs ?? null };
    },
    environments: async ({ user, params: { group } }) => {
      if (!(await flows.isMember(user, group))) throw new Refusal("not-found", `There is no flow group '${group.slice(0, 100)}'.`);
      const all = await environments.get();
      return all
        .map(({ body: { name, displayName } }) => ({ id: name, displayName }))
        .toSorted((a, b) => compareNames(a.displayName, b.displayName) || compareNames(a.id, b.id));
    },
  };

  async function requireEnvironment(environmentId: string) {
    const found = (await environments.get()).find(({ body }) => body.name === environmentId);
    if (found) return found.body;
    throw new Refusal("not-found", "There is no such environment.", { path: "environmentId" });
  }
}

interface FlowRef {
  readonly group: string;
  readonly flowId: number;
}

interface Comparison {
  readonly iterationId: number;
  readonly against: "accepted" | "none" | number;
}

const toCompared = ({ id, number, requestId, requestName }: Iteration) => ({ iterationId: id, number, requestId, requestName });

/** About the length of its JSON. */
function sizeOf(result: FlowComparison | FlowDrawing | FlowChecks): number {
  if ("checks" in result) return 500 * result.checks.length;
  if (result.outcome === "not-comparable") return result.sentence.length;
  if (result.outcome === "drawn") return sum(result.groups, ({ nodes, edges }) => 300 * (1 + nodes.length + edges.length));
  return sum(result.changes, ({ sentence, fields }) => {
    const values = sum(fields, ({ before, after }) => 200 + (before?.length ?? 0) + (after?.length ?? 0));
    return 500 + sentence.length + values;
  });
}

const sum = <One>(all: readonly One[], of: (one: One) => number): number => all.reduce((total, one) => total + of(one), 0);
