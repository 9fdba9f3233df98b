/** A component of an export, with whatever NiFi writes of it. */
type Fields = Record<string, unknown>;

export interface ExportedGroup extends Fields {
  identifier: string;
  name: string;
  processors: ExportedProcessor[];
  controllerServices: Fields[];
  connections: ExportedConnection[];
  processGroups: ExportedGroup[];
}

interface ExportedProcessor extends Fields {
  name: string;
  properties: Record<string, string | null>;
}

interface ExportedConnection extends Fields {
  source: Fields;
  destination: Fields;
}

export interface ExportedFlow {
  flowContents: ExportedGroup;
  parameterContexts: Fields;
  flowEncodingVersion: string;
}

const stations = ["Azores", "Bermuda", "Canaries"];

/**
 * As NiFi exports a process group that was imported three times from a registry: the three groups have identifiers of their own, and
 * everything in them, the group "Checks" included, has the same ones three times. There are 21 connections.
 */
export function copiedGroups(): ExportedFlow {
  const root = groupOf("root", "Stations", "canvas");
  root.processGroups = stations.map((station, index) => stationGroup(station, index));
  return { flowContents: root, parameterContexts: {}, flowEncodingVersion: "1.0" };
}

function stationGroup(station: string, index: number): ExportedGroup {
  const group = groupOf(`group-${station}`, station, station);
  const inGroup = (identifier: string, name: string) => ({
    id: identifier,
    groupId: group.identifier,
    name,
    ...instance(station, identifier),
  });
  const inChecks = (identifier: string) => ({ id: identifier, groupId: "checks", name: identifier, ...instance(station, identifier) });
  const checks = groupOf("checks", "Checks", station);
  Object.assign(checks, {
    position: { x: 800, y: 0 },
    inputPorts: [{ identifier: "in", ...instance(station, "in"), name: "in", position: { x: 0, y: 0 }, type: "INPUT_PORT" }],
    outputPorts: [{ identifier: "out", ...instance(station, "out"), name: "out", position: { x: 800, y: 0 }, type: "OUTPUT_PORT" }],
    processors: [processorOf(station, "validate", "Validate", { Schema: "station" })],
    connections: [
      connectionOf(station, "in-validate", inChecks("in"), inChecks("validate")),
      connectionOf(station, "validate-out", inChecks("validate"), inChecks("out")),
    ],
  });
  return {
    ...group,
    position: { x: 500 * index, y: 0 },
    processors: [
      processorOf(station, "fetch", "Fetch", { URL: "https://example.org/stations" }),
      processorOf(station, "split", "Split", { "Record Reader": "reader" }),
      processorOf(station, "convert", "Convert", { "Record Reader": "reader" }),
      processorOf(station, "put", "Put", { Directory: "/data" }),
    ],
    controllerServices: [{ identifier: "reader", ...instance(station, "reader"), name: "Reader", type: "org.apache.nifi.csv.CSVReader" }],
    funnels: [{ identifier: "failures", ...instance(station, "failures"), position: { x: 0, y: 600 } }],
    processGroups: [checks],
    connections: [
      connectionOf(station, "fetch-split", inGroup("fetch", "Fetch"), inGroup("split", "Split")),
      connectionOf(station, "split-convert", inGroup("split", "Split"), inGroup("convert", "Convert")),
      connectionOf(station, "split-failures", inGroup("split", "Split"), inGroup("failures", "")),
      connectionOf(station, "convert-in", inGroup("convert", "Convert"), inChecks("in")),
      connectionOf(station, "out-put", inChecks("out"), inGroup("put", "Put")),
    ],
  };
}

const instance = (station: string, identifier: string) => ({ instanceIdentifier: `${identifier} of ${station}` });

function groupOf(identifier: string, name: string, station: string): ExportedGroup {
  const lists = { processors: [], controllerServices: [], connections: [], processGroups: [] };
  return { identifier, ...instance(station, identifier), name, comments: "", ...lists, componentType: "PROCESS_GROUP" };
}

function processorOf(station: string, identifier: string, name: string, properties: Record<string, string>): ExportedProcessor {
  const type = `org.apache.nifi.processors.standard.${name}`;
  return { identifier, ...instance(station, identifier), name, type, properties, position: { x: 0, y: 200 }, retryCount: 10 };
}

const connectionOf = (station: string, identifier: string, source: Fields, destination: Fields): ExportedConnection => ({
  identifier,
  ...instance(station, identifier),
  source,
  destination,
  selectedRelationships: ["success"],
  zIndex: 0,
});

/** Below the outermost group; throws if there is none of the name. */
export function stationIn({ flowContents }: ExportedFlow, name: string): ExportedGroup {
  const group = flowContents.processGroups.find((one) => one.name === name);
  if (group === undefined) throw new Error(`there is no station ${name}`);
  return group;
}

/** Without the ids that only newer versions of NiFi write. */
export const withoutInstances = (flow: ExportedFlow): ExportedFlow =>
  JSON.parse(JSON.stringify(flow, (key, value: unknown) => (key === "instanceIdentifier" ? undefined : value))) as ExportedFlow;
