import { SaxesParser } from "saxes";
import { type RawObject, buildFlow } from "./build-flow.ts";
import { type ComponentFlow, FlowUnreadable, maxDepth } from "./flow-model.ts";

interface Element {
  readonly name: string;
  readonly children: Element[];
  text: string;
}

const maxElements = 500_000;

/** Reads a template as NiFi 1.x downloads it. Throws FlowUnreadable. */
export function readXmlTemplate(text: string): ComponentFlow {
  const template = parseXml(text);
  if (template.name !== "template") throw notATemplate("the outermost element is not 'template'");
  const snippet = child(template, "snippet");
  if (snippet === undefined) throw notATemplate("'snippet' is missing");
  const encodingVersion = { ...readGroupContents(snippet), identifier: "template", name: textIn(template, "name") };
  return buildFlow({
    format: "xml",
    rootGroup: { ...encodingVersion, comments: textIn(template, "description") },
    parameterContexts: [],
    parameterProviders: [],
    externalServices: [],
    flowFields: {},
  });
}

const notATemplate = (why: string) => new FlowUnreadable("not-a-flow", `This XML is not a NiFi template: ${why}.`);

/** Elements without attributes, comments and processing instructions. Throws FlowUnreadable. */
function parseXml(text: string): Element {
  // Decoded text has no encoding any more, whatever the declaration says.
  const parser = new SaxesParser({ xmlns: false, position: true });
  const document: Element = { name: "", children: [], text: "" };
  const open: Element[] = [document];
  let elements = 0;
  const append = (part: string) => {
    const element = open.at(-1);
    if (element) element.text += part;
  };
  parser.on("doctype", () => {
    throw new FlowUnreadable("dangerous", "The XML has a DOCTYPE, which templates do not have.");
  });
  parser.on("error", () => {
    throw new FlowUnreadable("syntax", `This is not valid XML: line ${parser.line}, column ${parser.column + 1} is unexpected.`);
  });
  parser.on("opentagstart", ({ name }) => {
    elements += 1;
    if (elements > maxElements) throw new FlowUnreadable("dangerous", `The XML has more than ${maxElements} elements.`);
    if (open.length > maxDepth) throw new FlowUnreadable("dangerous", `The XML is nested more than ${maxDepth} deep.`);
    const element: Element = { name, children: [], text: "" };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("closetag", () => void open.pop());
  parser.on("text", append);
  parser.on("cdata", append);
  parser.write(text).close();
  const [root] = document.children;
  if (root === undefined) throw notATemplate("it is empty");
  return root;
}

const child = (element: Element, name: string): Element | undefined => element.children.find((one) => one.name === name);

const textIn = (element: Element | undefined, name: string): string | undefined => {
  const found = element && child(element, name);
  return found && found.children.length === 0 ? found.text : undefined;
};

/** How an element is called in flow definitions; undefined for what they do not have. */
const renamed = new Map<string, string | undefined>([
  ["id", "identifier"],
  ["flowfileConcurrency", "flowFileConcurrency"],
  ["flowfileOutboundPolicy", "flowFileOutboundPolicy"],
  ["descriptors", undefined],
  ["state", undefined],
  ["parentGroupId", undefined],
  ["relationships", undefined],
  ["config", undefined],
  ["contents", undefined],
  ["batchSettings", "batchSize"],
  ["loadBalancePartitionAttribute", "partitioningAttribute"],
]);
/** Fields that NiFi computes or repeats; some are only in templates. */
const derived = new Set(
  (
    "loadBalanceStatus executionNodeRestricted lossTolerant validationStatus validationErrors persistsState restricted deprecated " +
    "multipleVersionsAvailable extensionMissing supportsParallelProcessing supportsEventDriven supportsBatching supportsSensitiveDynamicProperties " +
    "inputRequirement defaultConcurrentTasks defaultSchedulingPeriod activeCount runningCount stoppedCount invalidCount disabledCount " +
    "inputPortCount outputPortCount activeRemoteInputPortCount inactiveRemoteInputPortCount activeRemoteOutputPortCount " +
    "inactiveRemoteOutputPortCount connected exists targetRunning targetSecure flowRefreshed autoTerminatedRelationshipsCount " +
    "localInputPortCount localOutputPortCount publicInputPortCount publicOutputPortCount upToDateCount locallyModifiedCount staleCount " +
    "locallyModifiedAndStaleCount syncFailureCount referencingComponents transmitting versionedComponentId authorizationIssues " +
    "availableRelationships userAccessControl groupAccessControl groupId"
  ).split(" "),
);
const groupLists = new Set(
  "processGroups remoteProcessGroups processors inputPorts outputPorts connections labels funnels controllerServices".split(" "),
);
/** Elements that repeat for every item, or hold items. */
const lists = new Set(["selectedRelationships", "prioritizers", "bends", "inheritedParameterContexts"]);

function readGroupContents(contents: Element): RawObject {
  const groups: Record<string, RawObject[]> = {};
  for (const element of contents.children) {
    if (groupLists.has(element.name)) (groups[element.name] ??= []).push(readComponent(element));
  }
  return groups;
}

function readComponent(element: Element): RawObject {
  const isGroup = element.name === "processGroups";
  const contents = child(element, "contents");
  const config = child(element, "config");
  return {
    ...(contents && (isGroup ? readGroupContents(contents) : remotePorts(contents))),
    ...readFields(element.children),
    ...(config && readFields(config.children)),
    ...readRelationships(element),
    ...scheduledState(element),
    ...readDescriptors(config ?? element),
  };
}

function readFields(elements: readonly Element[]): RawObject {
  const fields = emptyObject();
  const listed = new Map<string, unknown[]>();
  for (const element of elements) {
    const name = renamed.has(element.name) ? renamed.get(element.name) : element.name;
    if (name === undefined || derived.has(name) || groupLists.has(name)) continue;
    if (name === "properties" || name === "variables" || name === "style") fields[name] = readEntries(element);
    else if (lists.has(name)) {
      const items = listed.get(name) ?? [];
      items.push(valueOf(element));
      listed.set(name, items);
    } else if (name === "versionControlInformation") fields.versionedFlowCoordinates = readCoordinates(element);
    else if (name === "parameterContext") fields.parameterContextName = textIn(child(element, "component"), "name");
    else fields[name] = valueOf(element);
  }
  for (const [name, items] of listed) fields[name] = items;
  return fields;
}

/** Without a prototype, because names in it are input. */
const emptyObject = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>;

function valueOf(element: Element): unknown {
  if (element.children.length === 0) return element.text;
  const object = emptyObject();
  for (const one of element.children)
    object[one.name === "id" && element.name !== "source" && element.name !== "destination" ? "identifier" : one.name] = valueOf(one);
  return object;
}

function readEntries(element: Element): RawObject {
  const entries = emptyObject();
  for (const entry of element.children) {
    const key = textIn(entry, "key");
    // An entry without a value is a property that is not set.
    if (key !== undefined) entries[key] = textIn(entry, "value") ?? null;
  }
  return entries;
}

const readCoordinates = (element: Element): RawObject => ({
  registryId: textIn(element, "registryId"),
  bucketId: textIn(element, "bucketId"),
  flowId: textIn(element, "flowId"),
  version: textIn(element, "version"),
});

function readRelationships(element: Element): RawObject {
  const relationships = element.children.filter(({ name }) => name === "relationships");
  if (element.name !== "processors") return {};
  const named = (flag: string) => relationships.filter((one) => textIn(one, flag) === "true").map((one) => textIn(one, "name") ?? "");
  return { autoTerminatedRelationships: named("autoTerminate"), retriedRelationships: named("retry") };
}

/** Flow definitions know whether a component is enabled, and not whether it runs, which NiFi does not start from a template either. */
function scheduledState(element: Element): RawObject {
  const state = textIn(element, "state");
  if (state === undefined) return {};
  return { scheduledState: state === "STOPPED" || state === "RUNNING" ? "ENABLED" : state };
}

function readDescriptors(config: Element): RawObject {
  const descriptors = emptyObject();
  for (const entry of child(config, "descriptors")?.children ?? []) {
    const [key, value] = [textIn(entry, "key"), child(entry, "value")];
    if (key !== undefined) descriptors[key] = { sensitive: textIn(value, "sensitive"), displayName: textIn(value, "displayName") };
  }
  return { propertyDescriptors: descriptors };
}

function remotePorts(contents: Element): RawObject {
  const named = (name: string) => contents.children.filter((one) => one.name === name).map((one) => readFields(one.children));
  return { inputPorts: named("inputPorts"), outputPorts: named("outputPorts") };
}
