import { describe, expect, it } from "vitest";
import { copiedGroups, type ExportedFlow, stationIn, withoutInstances } from "#testing/copied-groups.ts";
import { checkFlow } from "./check-flow.ts";
import { compareFlows } from "./compare-flows.ts";
import { describeChanges } from "./describe-change.ts";
import { drawComparison } from "./draw-flow.ts";
import { isReference } from "./match-components.ts";
import { readJsonFlow } from "./read-json-flow.ts";

const read = (flow: ExportedFlow) => readJsonFlow(JSON.stringify(flow));
const compare = (before: ExportedFlow, after: ExportedFlow) => compareFlows(read(before), read(after));
const changesOf = (before: ExportedFlow, after: ExportedFlow) =>
  describeChanges(compare(before, after)).changes.map(({ sentence, component }) => `${component.groupPath.join("/")}: ${sentence}`);
const stations = ["Azores", "Bermuda", "Canaries"];

/** The same export with the groups in the order that another NiFi lists them in. */
function reversed(flow = copiedGroups()): ExportedFlow {
  flow.flowContents.processGroups.reverse();
  return flow;
}

function edited(edit: (flow: ExportedFlow) => void, flow = copiedGroups()): ExportedFlow {
  edit(flow);
  return flow;
}

const setDirectory = (station: string, directory: string) => (flow: ExportedFlow) => {
  const put = stationIn(flow, station).processors.find(({ name }) => name === "Put");
  if (put) put.properties["Directory"] = directory;
};

describe("copied process groups, which repeat the identifiers of their components,", () => {
  it.each([
    ["with the ids of their NiFi", copiedGroups()],
    ["without them", withoutInstances(copiedGroups())],
  ])("keep all connections in their own groups, %s", (_, flow) => {
    const { components } = read(flow);
    const connections = [...components.values()].filter(({ kind }) => kind === "connection");
    expect(connections).toHaveLength(21);
    const stationOf = (id: string | null): string => {
      const one = components.get(id ?? "");
      return one === undefined || stations.includes(one.name) ? (one?.name ?? "") : stationOf(one.parentId);
    };
    for (const connection of connections) {
      for (const end of ["source", "destination"]) {
        const value = connection.fields.get(end);
        const other = isReference(value) ? value.referenceTo : null;
        expect([connection.identifier, end, stationOf(other)]).toEqual([connection.identifier, end, stationOf(connection.id)]);
      }
    }
    const drawing = drawComparison(compare(flow, flow));
    expect(drawing.flatMap(({ edges }) => edges)).toHaveLength(21);
    expect(drawing.map(({ name, edges }) => `${name} ${edges.length}`).toSorted()).toEqual([
      "Azores 5",
      "Bermuda 5",
      "Canaries 5",
      "Checks 2",
      "Checks 2",
      "Checks 2",
      "Stations 0",
    ]);
  });

  it("are distinguished by NiFi's ids if even neighboring groups have the same identifier", () => {
    const flow = edited(({ flowContents }) => {
      const text = JSON.stringify(flowContents.processGroups).replaceAll(/group-(?:Azores|Bermuda|Canaries)"/g, 'group"');
      flowContents.processGroups = JSON.parse(text) as typeof flowContents.processGroups;
      flowContents.connections.push({
        identifier: "between",
        source: { id: "out", groupId: "group", name: "out", instanceIdentifier: "outlet of Bermuda" },
        destination: { id: "out", groupId: "group", name: "out", instanceIdentifier: "outlet of Canaries" },
      });
      for (const group of flowContents.processGroups) {
        group["outputPorts"] = [{ identifier: "out", instanceIdentifier: `outlet of ${group.name}`, name: "out" }];
      }
    });
    expect(describeChanges(compare(copiedGroups(), flow)).changes.map(({ sentence }) => sentence)).toContain(
      'The connection from "out" in "Bermuda" to "out" in "Canaries" was added.',
    );
  });

  it("use the controller services of their own groups", () => {
    const { components } = read(copiedGroups());
    const services = stations.map((station) => {
      const group = [...components.values()].find(({ name }) => name === station);
      const split = [...components.values()].find(({ name, parentId }) => name === "Split" && parentId === group?.id);
      const value = split?.fields.get("properties.Record Reader");
      return isReference(value) && components.get(value.referenceTo)?.parentId === group?.id;
    });
    expect(services).toEqual([true, true, true]);
  });

  it("are the same in whatever order they are exported", () => {
    expect(changesOf(copiedGroups(), reversed())).toEqual([]);
    const ids = (flow: ExportedFlow) => [...read(flow).components.keys()].toSorted();
    expect(ids(reversed())).toEqual(ids(copiedGroups()));
  });

  it("name the group in which something changed, also if their order did", () => {
    for (const station of stations) {
      for (const after of [copiedGroups(), reversed()]) {
        expect(changesOf(copiedGroups(), edited(setDirectory(station, "/archive"), after))).toEqual([
          `Stations/${station}: The property "Directory" of the processor "Put" changed from "/data" to "/archive".`,
        ]);
      }
    }
  });

  it("are matched with what the flow had before it was copied", () => {
    const before = edited(({ flowContents }) => flowContents.processGroups.splice(1));
    const sentences = changesOf(before, reversed());
    expect(sentences.filter((one) => !/^Stations(?:\/(?:Bermuda|Canaries)(?:\/Checks)?)?: .* was added\.$/.test(one))).toEqual([]);
    const removed = changesOf(reversed(), before);
    expect(removed.filter((one) => one.includes("Azores"))).toEqual([]);
    expect(removed).toContain('Stations/Bermuda: The connection from "out" in "Checks" to "Put" (success) was removed.');
  });

  it("lose a connection whose end is gone, instead of leading it into another copy", () => {
    const flow = edited((one) => {
      const group = stationIn(one, "Bermuda");
      group.processors = group.processors.filter(({ name }) => name !== "Put");
    });
    const { checks } = checkFlow(JSON.stringify(flow));
    expect(checks.filter(({ check }) => check === "dangling-connections")).toMatchObject([
      {
        severity: "error",
        sentence: 'The connection from "out" in "Checks" to the missing component "Put" does not connect two components of the flow.',
        component: { groupPath: ["Stations", "Bermuda"] },
      },
    ]);
    expect(checks.filter(({ check }) => check === "unconnected-processors")).toMatchObject([{ severity: "passed" }]);
  });

  it("are checked group by group", () => {
    const flow = edited((one) => {
      const group = stationIn(one, "Canaries");
      group.connections = group.connections.filter(({ identifier }) => identifier !== "out-put");
      const [reader] = stationIn(one, "Bermuda").controllerServices;
      if (reader) reader["scheduledState"] = "DISABLED";
    });
    const { checks } = checkFlow(JSON.stringify(flow));
    const found = (check: string) =>
      checks.filter((one) => one.check === check).map(({ sentence, component }) => [sentence, component?.groupPath.at(-1)]);
    expect(found("unconnected-processors")).toEqual([['The processor "Put" has no connection.', "Canaries"]]);
    expect(found("disabled-services")).toEqual([['The controller service "Reader" is disabled but used.', "Bermuda"]]);
    expect(found("dangling-connections")).toEqual([["Every connection has both ends.", undefined]]);
  });

  it("say which group a service of the same name is in", () => {
    const shared = { identifier: "shared", name: "Reader", type: "org.apache.nifi.csv.CSVReader" };
    const withShared = (value: string) =>
      edited((flow) => {
        flow.flowContents.controllerServices.push(shared);
        for (const processor of stationIn(flow, "Azores").processors) {
          if (processor.name === "Split") processor.properties["Record Reader"] = value;
        }
      });
    expect(changesOf(withShared("reader"), withShared("shared"))).toEqual([
      'Stations/Azores: The property "Record Reader" of the processor "Split" changed from "Reader" in "Stations / Azores" to "Reader" in "Stations".',
    ]);
  });

  it("are compared in time, however often identifiers and groups repeat", () => {
    const many = edited(({ flowContents }) => {
      const text = JSON.stringify(flowContents.processGroups[0]);
      flowContents.processGroups = Array.from({ length: 400 }, () => JSON.parse(text) as (typeof flowContents.processGroups)[number]);
    });
    // Each group has 18 components with itself, and one of the three is in both flows.
    expect(describeChanges(compare(copiedGroups(), many)).counts.behavior).toBe((399 + 2) * 18);
  });
});
