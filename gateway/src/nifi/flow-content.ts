import { recordOf } from "@fairway/contract/records";
import { z } from "zod";
import { NifiFailed } from "./failure.ts";
import { plainText } from "./plain-text.ts";

const component = z.looseObject({
  identifier: z.string().optional(),
  /** The id of the component in the NiFi that wrote the definition. */
  instanceIdentifier: z.string().optional(),
  type: z.string().optional(),
});

const connectionEnd = z.looseObject({ id: z.string(), groupId: z.string().nullish(), instanceIdentifier: z.string().nullish() });
const connection = z.looseObject({ source: connectionEnd.optional(), destination: connectionEnd.optional() });

const flowGroup = z.looseObject({
  identifier: z.string().optional(),
  name: z.string(),
  parameterContextName: z.string().nullish(),
  processors: z.array(component).default([]),
  inputPorts: z.array(component).default([]),
  outputPorts: z.array(component).default([]),
  controllerServices: z.array(component).default([]),
  connections: z.array(connection).default([]),
  get processGroups() {
    return z.array(flowGroup).default([]);
  },
});
export type FlowGroupContents = z.infer<typeof flowGroup>;

const flowDefinition = z.looseObject({
  flowContents: flowGroup,
  externalControllerServices: recordOf(z.string(), z.looseObject({ name: z.string().optional() })).nullish(),
});
/** NiFi's JSON format. Fields that the portal does not know are kept. */
export type FlowDefinition = z.infer<typeof flowDefinition>;

export type FlowContent =
  | { readonly format: "definition"; readonly definition: FlowDefinition }
  | { readonly format: "template"; readonly xml: string };

const begun = (text: string): string => text.replace(/^\uFEFF/, "").trimStart();

/** Whether a content would be deployed as a template. */
export const isTemplate = (text: string): boolean => begun(text).startsWith("<");

export const noTemplates = (version: string): string => `NiFi ${version} has no templates. Export the flow as a flow definition in JSON.`;

/** Throws NifiFailed unless the text is a flow definition or a template. NiFi itself answers other JSON with the status 500. */
export function readFlowContent(text: string): FlowContent {
  const trimmed = begun(text);
  if (isTemplate(trimmed)) return { format: "template", xml: trimmed };
  if (trimmed.startsWith("{")) return { format: "definition", definition: readUploaded(trimmed) };
  throw new NifiFailed("unsupported", "NiFi takes flow definitions in JSON and templates in XML only. This content is neither.");
}

function readUploaded(text: string): FlowDefinition {
  try {
    return readDefinition(text);
  } catch (error) {
    throw error instanceof NifiFailed ? new NifiFailed("unsupported", error.message) : error;
  }
}

export function readDefinition(text: string): FlowDefinition {
  try {
    const parsed = flowDefinition.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw new NifiFailed(
      "refused",
      `This JSON is not a flow definition of NiFi: ${plainText(issue?.path.join(".") ?? "its content", 200)} is missing or wrong.`,
    );
  } catch (error) {
    if (error instanceof SyntaxError) throw new NifiFailed("refused", "The flow definition is not valid JSON.");
    if (error instanceof RangeError) throw new NifiFailed("refused", "The flow definition is nested too deeply.");
    throw error;
  }
}

/** The same definition under another name: replacing a group's content also renames the group. */
export function renamed(definition: FlowDefinition, name: string): FlowDefinition {
  return { ...definition, flowContents: { ...definition.flowContents, name } };
}

/** The same definition with the parameter contexts that the groups of the same names have in another one. */
export function withContextsOf(definition: FlowDefinition, other: FlowDefinition): FlowDefinition {
  const bound = (group: FlowGroupContents, same: FlowGroupContents): FlowGroupContents => ({
    ...group,
    parameterContextName: same.parameterContextName,
    processGroups: group.processGroups.map((inner) => {
      const sameInner = same.processGroups.find(({ name }) => name === inner.name);
      return sameInner ? bound(inner, sameInner) : inner;
    }),
  });
  return {
    ...definition,
    flowContents: bound(definition.flowContents, other.flowContents),
    // NiFi binds groups to contexts that the definition describes.
    parameterContexts: other["parameterContexts"],
  };
}

/** The group and all groups in it. */
export function groupsIn(group: FlowGroupContents): FlowGroupContents[] {
  return [group, ...group.processGroups.flatMap(groupsIn)];
}

type Component = z.infer<typeof component>;

/** Ids, in the NiFi that wrote the definition, of processors that no other component sends data to, and of the flow's input ports. */
export function sourcesIn({ flowContents }: FlowDefinition): string[] {
  const groups = groupsIn(flowContents);
  const endOf = connectionEnds(groups);
  const fed = new Set<Component>();
  for (const group of groups) {
    for (const { source, destination } of group.connections) {
      const to = destination && endOf(group, destination);
      if (to && !(source && endOf(group, source) === to)) fed.add(to);
    }
  }
  const processors = groups.flatMap((group) => group.processors).filter((one) => !fed.has(one));
  return [...processors, ...flowContents.inputPorts].flatMap(({ instanceIdentifier }) => instanceIdentifier ?? []);
}

/** Components that connections lead to, in their group or directly below it: copied groups repeat the identifiers of their components. */
function connectionEnds(groups: readonly FlowGroupContents[]) {
  const componentsOf = ({ processors, inputPorts, outputPorts }: FlowGroupContents) => [processors, inputPorts, outputPorts].flat();
  const all = groups.flatMap(componentsOf);
  const byInstance = new Map(all.map((one) => [`${one.instanceIdentifier} ${one.identifier}`, one]));
  const inGroup = new Map(groups.map((group) => [group, new Map(componentsOf(group).map((one) => [one.identifier, one]))]));
  const below = new Map(
    groups.map((group) => [
      group,
      new Map(
        group.processGroups.flatMap((inner) =>
          componentsOf(inner).flatMap((one): [string, Component][] => [
            [JSON.stringify([one.identifier]), one],
            [JSON.stringify([one.identifier, inner.identifier]), one],
          ]),
        ),
      ),
    ]),
  );
  return (group: FlowGroupContents, { id, groupId, instanceIdentifier }: z.infer<typeof connectionEnd>): Component | undefined => {
    const exact = instanceIdentifier === undefined ? undefined : byInstance.get(`${instanceIdentifier} ${id}`);
    if (exact) return exact;
    const inner = below.get(group);
    const named = group.identifier === groupId ? undefined : inner?.get(JSON.stringify([id, groupId]));
    return named ?? inGroup.get(group)?.get(id) ?? inner?.get(JSON.stringify([id]));
  };
}

/**
 * From a component's id in the NiFi that wrote the definition to a name of it that survives replacing the content: its identifier
 * behind those of the groups around it, because copied groups repeat the identifiers of their components.
 */
export function identifiersByInstance({ flowContents }: FlowDefinition): Map<string, string> {
  const identifiers = new Map<string, string>();
  const add = (group: FlowGroupContents, path: readonly string[]) => {
    for (const { identifier, instanceIdentifier } of [group.processors, group.inputPorts, group.outputPorts].flat()) {
      if (identifier !== undefined && instanceIdentifier !== undefined) {
        identifiers.set(instanceIdentifier, [...path, identifier].join("/"));
      }
    }
    for (const inner of group.processGroups) add(inner, [...path, inner.identifier ?? ""]);
  };
  add(flowContents, []);
  return identifiers;
}

/**
 * A template with another name. NiFi refuses a name that any of its templates has, and a template that was exported from the same
 * NiFi usually still exists there.
 */
export function renamedTemplate(xml: string, name: string): string {
  let depth = 0;
  for (let at = 0; at < xml.length;) {
    const open = xml.indexOf("<", at);
    if (open === -1) break;
    const end = tagEnd(xml, open);
    const tag = xml.slice(open, end);
    if (tag.startsWith("<?") || tag.startsWith("<!")) {
      at = end;
      continue;
    }
    if (depth === 1 && /^<name[\s>]/.test(tag)) {
      const close = xml.indexOf("</name>", end);
      if (close !== -1) return `${xml.slice(0, end)}${name}${xml.slice(close)}`;
    }
    if (tag.startsWith("</")) depth -= 1;
    else if (!tag.endsWith("/>")) depth += 1;
    at = end;
  }
  return xml;
}

/** The position after a tag, comment, CDATA section or instruction. */
function tagEnd(xml: string, open: number): number {
  const closing = xml.startsWith("<!--", open) ? "-->" : xml.startsWith("<![CDATA[", open) ? "]]>" : ">";
  const end = xml.indexOf(closing, open);
  return end === -1 ? xml.length : end + closing.length;
}
