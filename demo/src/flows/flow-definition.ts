import { createHash } from "node:crypto";

/** A processor of a flow, with the properties that differ from the defaults of its type. */
interface ProcessorRecipe {
  /** Of the NiFi archive `nifi-standard-nar`, without the package. */
  readonly type: string;
  /** Column and row on a grid. */
  readonly at: readonly [column: number, row: number];
  readonly properties: Readonly<Record<string, string>>;
  /** Default: `0 sec`, which runs whenever there is data. */
  readonly every?: string;
  /** Relationships that end here. */
  readonly ends?: readonly string[];
  readonly concurrentTasks?: number;
}

/** From the relationships of one processor to another one. */
type ConnectionRecipe = readonly [from: string, relationships: string, to: string];

export interface FlowPlan {
  readonly name: string;
  readonly comments: string;
  /** Keyed by name, without secrets. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Keyed by name. */
  readonly processors: Readonly<Record<string, ProcessorRecipe>>;
  readonly connections: readonly ConnectionRecipe[];
  readonly labels?: readonly { readonly text: string; readonly at: readonly [column: number, row: number] }[];
}

const nifiVersion = "1.18.0";
const columnWidth = 480;
const rowHeight = 240;

/** A flow definition as NiFi exports it. Identifiers depend on the names only, so that they stay the same from edit to edit. */
export function flowDefinition(recipe: FlowPlan): string {
  const { name, comments, parameters, processors, connections, labels = [] } = recipe;
  const idOf = (...parts: readonly string[]) => uuidOf([name, ...parts]);
  const groupIdentifier = idOf("group");
  const contextName = `${name}-parameters`;
  const position = ([column, row]: readonly [number, number]) => ({ x: column * columnWidth, y: row * rowHeight });
  const processorId = (processor: string) => idOf("processor", processor);
  const endpoint = (processor: string) => {
    if (!(processor in processors)) throw new Error(`the flow ${name} has no processor ${processor}`);
    return { id: processorId(processor), type: "PROCESSOR", groupId: groupIdentifier, name: processor, comments: "" };
  };
  const definition = {
    flowContents: {
      identifier: groupIdentifier,
      name,
      comments,
      position: { x: 0, y: 0 },
      processGroups: [],
      remoteProcessGroups: [],
      processors: Object.entries(processors).map(([processor, { type, at, properties, every, ends = [], concurrentTasks = 1 }]) => ({
        identifier: processorId(processor),
        name: processor,
        comments: "",
        position: position(at),
        type: `org.apache.nifi.processors.standard.${type}`,
        bundle: { group: "org.apache.nifi", artifact: "nifi-standard-nar", version: nifiVersion },
        properties,
        propertyDescriptors: Object.fromEntries(
          Object.keys(properties).map((property) => [
            property,
            { name: property, displayName: property, identifiesControllerService: false, sensitive: false },
          ]),
        ),
        style: {},
        schedulingPeriod: every ?? "0 sec",
        schedulingStrategy: "TIMER_DRIVEN",
        executionNode: every === undefined ? "ALL" : "PRIMARY",
        penaltyDuration: "30 sec",
        yieldDuration: "1 sec",
        bulletinLevel: "WARN",
        runDurationMillis: 0,
        concurrentlySchedulableTaskCount: concurrentTasks,
        autoTerminatedRelationships: ends,
        scheduledState: "ENABLED",
        retryCount: 10,
        retriedRelationships: [],
        backoffMechanism: "PENALIZE_FLOWFILE",
        maxBackoffPeriod: "10 mins",
        componentType: "PROCESSOR",
        groupIdentifier,
      })),
      inputPorts: [],
      outputPorts: [],
      connections: connections.map(([from, relationships, to]) => ({
        identifier: idOf("connection", from, relationships, to),
        name: "",
        source: endpoint(from),
        destination: endpoint(to),
        labelIndex: 1,
        zIndex: 0,
        selectedRelationships: relationships.split(", "),
        backPressureObjectThreshold: 10_000,
        backPressureDataSizeThreshold: "1 GB",
        flowFileExpiration: "0 sec",
        prioritizers: [],
        bends: [],
        loadBalanceStrategy: "DO_NOT_LOAD_BALANCE",
        partitioningAttribute: "",
        loadBalanceCompression: "DO_NOT_COMPRESS",
        componentType: "CONNECTION",
        groupIdentifier,
      })),
      labels: labels.map(({ text, at }) => ({
        identifier: idOf("label", text),
        position: position(at),
        label: text,
        zIndex: 0,
        width: 320,
        height: 48,
        style: { "font-size": "14px" },
        componentType: "LABEL",
        groupIdentifier,
      })),
      funnels: [],
      controllerServices: [],
      variables: {},
      parameterContextName: contextName,
      defaultFlowFileExpiration: "0 sec",
      defaultBackPressureObjectThreshold: 10_000,
      defaultBackPressureDataSizeThreshold: "1 GB",
      flowFileConcurrency: "UNBOUNDED",
      flowFileOutboundPolicy: "STREAM_WHEN_AVAILABLE",
      componentType: "PROCESS_GROUP",
    },
    externalControllerServices: {},
    parameterContexts: {
      [contextName]: {
        name: contextName,
        parameters: Object.entries(parameters).map(([parameter, value]) => ({
          name: parameter,
          description: "",
          sensitive: false,
          provided: false,
          value,
        })),
        inheritedParameterContexts: [],
        componentType: "PARAMETER_CONTEXT",
      },
    },
    flowEncodingVersion: "1.0",
    parameterProviders: {},
    latest: false,
  };
  return `${JSON.stringify(definition, null, 2)}\n`;
}

/** A UUID of version 3 form, as NiFi derives identifiers from names. */
function uuidOf(parts: readonly string[]): string {
  const hex = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-3${hex.slice(13, 16)}-9${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
