import { describe, expect, it } from "vitest";
import { copiedGroups, type ExportedFlow, stationIn } from "#testing/copied-groups.ts";
import { identifiersByInstance, readDefinition, sourcesIn } from "./flow-content.ts";

const read = (flow: ExportedFlow) => readDefinition(JSON.stringify(flow));

describe("of copied process groups, which repeat the identifiers of their components,", () => {
  it("every source is stopped before a drain, also if its twin in another copy is fed", () => {
    expect(sourcesIn(read(copiedGroups())).toSorted()).toEqual(["fetch of Azores", "fetch of Bermuda", "fetch of Canaries"]);
    const flow = copiedGroups();
    const bermuda = stationIn(flow, "Bermuda");
    bermuda.connections = bermuda.connections.filter(({ identifier }) => identifier !== "fetch-split" && identifier !== "convert-in");
    // Without an id of the NiFi, the group of the connection says which component it leads to.
    for (const { source, destination } of stationIn(flow, "Canaries").connections) {
      delete source["instanceIdentifier"];
      delete destination["instanceIdentifier"];
    }
    expect(sourcesIn(read(flow)).toSorted()).toEqual(["fetch of Azores", "fetch of Bermuda", "fetch of Canaries", "split of Bermuda"]);
  });

  it("each component has a name of its own, which is the same after the content was replaced", () => {
    const names = identifiersByInstance(read(copiedGroups()));
    expect(new Set(names.values()).size).toBe(names.size);
    expect(names.get("put of Bermuda")).toBe("group-Bermuda/put");
    expect(names.get("validate of Canaries")).toBe("group-Canaries/checks/validate");
    const replaced = JSON.stringify(copiedGroups()).replaceAll(" of Bermuda", " made anew");
    const again = identifiersByInstance(readDefinition(replaced));
    expect(again.get("put made anew")).toBe(names.get("put of Bermuda"));
  });
});
