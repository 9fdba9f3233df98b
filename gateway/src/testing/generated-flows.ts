/** A flow definition as JSON objects that tests and measurements build, edit and write. */
export interface GeneratedFlow {
  flowContents: GeneratedGroup;
  parameterContexts: Record<string, { name: string; parameters: GeneratedParameter[]; inheritedParameterContexts: string[] }>;
  externalControllerServices: Record<string, { identifier: string; name: string }>;
  flowEncodingVersion: string;
}

export interface GeneratedParameter {
  name: string;
  sensitive: boolean;
  value: string | null;
  description?: string;
}

export interface GeneratedComponent {
  identifier: string;
  name: string;
  type: string;
  position: { x: number; y: number };
  bundle: { group: string; artifact: string; version: string };
  properties: Record<string, string | null>;
  propertyDescriptors: Record<string, { name: string; displayName: string; identifiesControllerService: boolean; sensitive: boolean }>;
  [field: string]: unknown;
}

export interface GeneratedConnection {
  identifier: string;
  name: string;
  source: { id: string; groupId: string; type: string; name: string };
  destination: { id: string; groupId: string; type: string; name: string };
  selectedRelationships: string[];
  [field: string]: unknown;
}

export interface GeneratedGroup {
  identifier: string;
  name: string;
  position: { x: number; y: number };
  processGroups: GeneratedGroup[];
  processors: GeneratedComponent[];
  controllerServices: GeneratedComponent[];
  inputPorts: { identifier: string; name: string; type: string; position: { x: number; y: number } }[];
  outputPorts: GeneratedGroup["inputPorts"];
  connections: GeneratedConnection[];
  funnels: { identifier: string; position: { x: number; y: number } }[];
  labels: { identifier: string; label: string; position: { x: number; y: number }; width: number; height: number; style: object }[];
  remoteProcessGroups: object[];
  [field: string]: unknown;
}

/** The same numbers for the same seed. */
export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761 + 1) % 2_147_483_647;
    for (let skipped = 0; skipped < 3; skipped += 1) this.next();
  }
  /** 0 to below 1. */
  next(): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647;
    return this.#state / 2_147_483_647;
  }
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }
  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(items.length)];
  }
}

const types = ["InvokeHTTP", "LogAttribute", "PutFile", "ConvertRecord", "ExecuteSQL", "SplitRecord"];
const propertyNames = [
  "Batch Size",
  "Read Timeout",
  "Remote URL",
  "Log prefix",
  "Record Reader",
  "Character Set",
  "script.body",
  "__proto__",
];
const values = ["1", "UTF-8", "15 secs", "#{host}", "${filename}", "a, b", "", "line 1\nline 2", "é 漢字"];

export function generateFlow(random: Random, { groups = 3, processorsPerGroup = 4 } = {}): GeneratedFlow {
  const flowContents = generateGroup(random, processorsPerGroup);
  const all = [flowContents];
  for (let count = 1; count < groups; count += 1) {
    const group = generateGroup(random, processorsPerGroup);
    (random.pick(all) ?? flowContents).processGroups.push(group);
    all.push(group);
  }
  return {
    flowContents,
    parameterContexts: {
      weather: {
        name: "weather",
        parameters: [
          { name: "host", sensitive: false, value: "example.org", description: "Where it comes from" },
          { name: "database login", sensitive: true, value: `hidden-${random.below(5)}` },
          { name: "unset", sensitive: false, value: null },
        ],
        inheritedParameterContexts: [],
      },
    },
    externalControllerServices: { "external-1": { identifier: "external-1", name: "Shared pool" } },
    flowEncodingVersion: "1.0",
  };
}

function generateGroup(random: Random, processorCount: number): GeneratedGroup {
  const identifier = newId(random);
  const controllerServices = Array.from({ length: 2 }, (_, index) => generateComponent(random, { name: `Service ${index}`, services: [] }));
  const processors = Array.from({ length: processorCount }, (_, index) =>
    generateComponent(random, { name: `Step ${index}`, services: controllerServices }),
  );
  const group: GeneratedGroup = {
    identifier,
    name: `Group ${random.below(1_000_000)}`,
    comments: "",
    position: positionOf(random),
    processGroups: [],
    processors,
    controllerServices,
    inputPorts: [{ identifier: newId(random), name: "in", type: "INPUT_PORT", position: positionOf(random) }],
    outputPorts: [{ identifier: newId(random), name: "out", type: "OUTPUT_PORT", position: positionOf(random) }],
    connections: [],
    funnels: [{ identifier: newId(random), position: positionOf(random) }],
    labels: [
      { identifier: newId(random), label: `Note ${random.below(100)}`, position: positionOf(random), width: 150, height: 40, style: {} },
    ],
    remoteProcessGroups: [
      {
        identifier: newId(random),
        name: "Site",
        targetUris: "https://example.org/nifi",
        inputPorts: [],
        outputPorts: [],
        position: positionOf(random),
      },
    ],
    variables: {},
    parameterContextName: "weather",
    componentType: "PROCESS_GROUP",
  };
  for (let index = 0; index < processorCount; index += 1) connect(random, group);
  return group;
}

export function generateComponent(
  random: Random,
  { name, services }: { name: string; services: readonly GeneratedComponent[] },
): GeneratedComponent {
  const properties: Record<string, string | null> = {};
  const propertyDescriptors: GeneratedComponent["propertyDescriptors"] = {};
  for (const property of propertyNames) {
    const service = property === "Record Reader" ? random.pick(services) : undefined;
    define(properties, property, service?.identifier ?? (random.next() < 0.3 ? null : (random.pick(values) ?? null)));
    const sensitive = property === "Log prefix" && random.next() < 0.3;
    define(propertyDescriptors, property, {
      name: property,
      displayName: property,
      identifiesControllerService: service !== undefined,
      sensitive,
    });
  }
  return {
    identifier: newId(random),
    name,
    comments: "",
    position: positionOf(random),
    type: `org.apache.nifi.processors.standard.${random.pick(types)}`,
    bundle: { group: "org.apache.nifi", artifact: "nifi-standard-nar", version: "1.18.0" },
    properties,
    propertyDescriptors,
    schedulingPeriod: "1 sec",
    schedulingStrategy: "TIMER_DRIVEN",
    concurrentlySchedulableTaskCount: 1,
    autoTerminatedRelationships: ["failure"],
    scheduledState: "ENABLED",
  };
}

/** Also sets a property that is called like a setter. */
function define(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}

export function connect(random: Random, group: GeneratedGroup): void {
  const [source, destination] = [random.pick(group.processors), random.pick(group.processors)];
  if (source === undefined || destination === undefined) return;
  const endOf = ({ identifier, name }: GeneratedComponent) => ({ id: identifier, groupId: group.identifier, type: "PROCESSOR", name });
  group.connections.push({
    identifier: newId(random),
    name: "",
    source: endOf(source),
    destination: endOf(destination),
    labelIndex: 1,
    zIndex: 0,
    selectedRelationships: ["success"],
    backPressureObjectThreshold: 10_000,
    bends: random.next() < 0.5 ? [] : [positionOf(random)],
    prioritizers: [],
    groupIdentifier: group.identifier,
  });
}

export const groupsOf = (group: GeneratedGroup): GeneratedGroup[] => [group, ...group.processGroups.flatMap(groupsOf)];

const positionOf = (random: Random) => ({ x: random.below(40) * 100, y: random.below(40) * 100 });

const newId = (random: Random): string =>
  [8, 4, 4, 4, 12].map((length) => Array.from({ length }, () => random.below(16).toString(16)).join("")).join("-");

type Edit = (flow: GeneratedFlow, random: Random) => void;

const inGroup =
  (edit: (group: GeneratedGroup, random: Random) => void): Edit =>
  (flow, random) => {
    const group = random.pick(groupsOf(flow.flowContents));
    if (group) edit(group, random);
  };
const onProcessor = (edit: (processor: GeneratedComponent, random: Random) => void): Edit =>
  inGroup(({ processors }, random) => {
    const processor = random.pick(processors);
    if (processor) edit(processor, random);
  });

/** Edits that people make to flows. */
export const edits: Readonly<Record<string, Edit>> = {
  "set a property": onProcessor(({ properties }, random) => {
    define(properties, random.pick(propertyNames) ?? "", `new ${random.below(1_000)}`);
  }),
  "unset a property": onProcessor(({ properties }, random) => define(properties, random.pick(propertyNames) ?? "", null)),
  "reschedule a processor": onProcessor((processor, random) => {
    processor.schedulingStrategy = random.pick(["TIMER_DRIVEN", "CRON_DRIVEN"]);
    processor.schedulingPeriod = `${random.below(60)} sec`;
  }),
  "rename a processor": onProcessor((processor, random) => {
    processor.name = `Renamed ${random.below(1_000)}`;
  }),
  "move a processor on the canvas": onProcessor((processor, random) => {
    processor.position = positionOf(random);
  }),
  "update a bundle": onProcessor((processor) => {
    processor.bundle = { ...processor.bundle, version: "1.19.0" };
  }),
  "change the type of a processor": onProcessor((processor, random) => {
    processor.type = `org.apache.nifi.processors.standard.${random.pick(types)}`;
  }),
  "add a processor": inGroup((group, random) => {
    group.processors.push(generateComponent(random, { name: `Added ${random.below(100)}`, services: group.controllerServices }));
  }),
  "remove a processor": inGroup((group, random) => {
    const removed = group.processors.splice(random.below(group.processors.length), 1)[0];
    group.connections = group.connections.filter(
      ({ source, destination }) => source.id !== removed?.identifier && destination.id !== removed?.identifier,
    );
  }),
  "remove a processor and leave its connections": inGroup(
    (group, random) => void group.processors.splice(random.below(group.processors.length), 1),
  ),
  "move a processor to another group": (flow, random) => {
    const [from, to] = [random.pick(groupsOf(flow.flowContents)), random.pick(groupsOf(flow.flowContents))];
    const moved = from?.processors.splice(random.below(from.processors.length), 1) ?? [];
    to?.processors.push(...moved);
  },
  "add a connection": inGroup((group, random) => connect(random, group)),
  "remove a connection": inGroup((group, random) => void group.connections.splice(random.below(group.connections.length), 1)),
  "choose other relationships": inGroup((group, random) => {
    const connection = random.pick(group.connections);
    if (connection) connection.selectedRelationships = random.next() < 0.5 ? ["failure", "success"] : ["retry"];
  }),
  "lead a connection elsewhere": inGroup((group, random) => {
    const [connection, target] = [random.pick(group.connections), random.pick(group.processors)];
    if (connection && target) connection.destination = { ...connection.destination, id: target.identifier, name: target.name };
  }),
  "use another service": inGroup((group, random) => {
    const [processor, service] = [random.pick(group.processors), random.pick(group.controllerServices)];
    if (processor && service) processor.properties["Record Reader"] = service.identifier;
  }),
  "add a group": inGroup((group, random) => void group.processGroups.push(generateGroup(random, 2))),
  "remove a group": inGroup((group, random) => void group.processGroups.splice(random.below(group.processGroups.length), 1)),
  "move a group into another one": (flow, random) => {
    const from = random.pick(groupsOf(flow.flowContents).filter(({ processGroups }) => processGroups.length > 0));
    const [moved] = from?.processGroups.splice(0, 1) ?? [];
    if (moved) (random.pick(groupsOf(flow.flowContents)) ?? flow.flowContents).processGroups.push(moved);
  },
  "change a label": inGroup(({ labels }, random) => {
    const label = random.pick(labels);
    if (label) label.label = `Note ${random.below(1_000)}`;
  }),
  "remove a funnel": inGroup((group) => void group.funnels.pop()),
  "change a parameter": ({ parameterContexts }, random) => {
    const parameter = random.pick(parameterContexts.weather?.parameters ?? []);
    if (parameter) parameter.value = `value ${random.below(1_000)}`;
  },
  "add a parameter": ({ parameterContexts }, random) => {
    parameterContexts.weather?.parameters.push({ name: `parameter ${random.below(1_000)}`, sensitive: random.next() < 0.5, value: "v" });
  },
  "remove a parameter": ({ parameterContexts }) => void parameterContexts.weather?.parameters.pop(),
  "add a context": ({ parameterContexts }, random) => {
    const name = `context ${random.below(1_000)}`;
    define(parameterContexts, name, { name, parameters: [], inheritedParameterContexts: ["weather"] });
  },
  "set a variable": inGroup((group, random) => {
    group.variables = { region: `r${random.below(10)}` };
  }),
  "repeat an identifier": inGroup((group, random) => {
    const [one, other] = [random.pick(group.processors), random.pick(group.processors)];
    if (one && other) one.identifier = other.identifier;
  }),
};

/** As after an import elsewhere: all identifiers are new, and references follow. */
export function withNewIds(text: string, random: Random): string {
  const ids = new Map<string, string>();
  return text.replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, (id) => {
    const known = ids.get(id) ?? newId(random);
    ids.set(id, known);
    return known;
  });
}
