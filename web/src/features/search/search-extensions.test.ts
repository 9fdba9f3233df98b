import { beforeEach, expect, it, vi } from "vitest";
import { buildDescription } from "#testing/dataset-builders.ts";
import { fakeGateway, fakeSessionStorage, settleRequests } from "#testing/fake-gateway.ts";
import type * as tabModule from "#lib/browser/tab-memory.ts";
import type * as addressModule from "#parts/search-model/search-address.ts";
import type * as storeModule from "#parts/open-searches/store.ts";

const description = buildDescription();
const viewState = { v: [-80.5, 27.25, 5], s: "AL012005", p: ["AL012005"], t: [1_125_273_600_000, null, 60] };
const graph = {
  title: "Winds",
  type: "bar",
  groupingType: "hour",
  groupings: [],
  columns: [{ model: "wind", aggregation: "max", id: "c", color: "#099bf1" }],
  stacked: false,
  logAxis: false,
  id: "g",
  hasShownLargeGroupingWarning: true,
  isCancelled: false,
};
/** Value stored by tabs of every released version, byte for byte. */
const stored = JSON.stringify({
  owner: "ada",
  state: {
    descriptions: [description],
    searches: [
      {
        id: "one",
        timestamp: 1,
        dataset: 0,
        isSample: false,
        filters: { geospatial: null, timeRange: null, dynamic: [] },
        sort: [],
        visibleColumns: null,
        viewMode: "map",
        map: viewState,
        graphs: [graph],
      },
    ],
    closedIds: [],
  },
});
const storageKey = "fairway.tab.open-searches";

let gateway: ReturnType<typeof fakeGateway>;
let store: typeof storeModule;
let address: typeof addressModule;
let tab: typeof tabModule;

/** A freshly loaded page without the code of graphs and map. */
beforeEach(async () => {
  fakeSessionStorage();
  vi.resetModules();
  gateway = fakeGateway();
  await import("./search-extensions.ts");
  store = await import("#parts/open-searches/store.ts");
  address = await import("#parts/search-model/search-address.ts");
  tab = await import("#lib/browser/tab-memory.ts");
});

const only = () => {
  const [record] = store.useOpenSearches.getState().records;
  if (!record) throw new Error("No search is open");
  return record;
};
const addressHash = (parts: object) => `#1.${btoa(JSON.stringify(parts)).replace(/=+$/, "")}`;

it("keeps graphs and the map state in the tab byte for byte before their code is loaded", () => {
  sessionStorage.setItem(storageKey, stored);
  tab.adoptTabMemory("ada");
  store.openSearches.setViewMode("one", "map");
  expect(sessionStorage.getItem(storageKey)).toBe(stored);
});

it("restores the stored graphs and map state once their code is loaded, even after a rerun by the reload", async () => {
  sessionStorage.setItem(storageKey, stored);
  tab.adoptTabMemory("ada");
  const opened = store.openSearches.open("one", "");
  await settleRequests();
  await gateway.last("/describe").answer(description);
  expect(await opened).toStrictEqual({ kind: "open" });
  const { graphsIn } = await import("./graphs/model/graph-store.ts");
  const { parseViewState } = await import("./map/model/map-view-state.ts");
  expect(graphsIn("one")).toMatchObject([{ ...graph, data: null }]);
  expect(parseViewState(only().slices["map"])).toMatchObject({ selected: "AL012005", paths: ["AL012005"], clock: viewState.t });
});

it("puts the graphs aside on a rerun and keeps the map state", () => {
  sessionStorage.setItem(storageKey, stored);
  tab.adoptTabMemory("ada");
  store.openSearches.rerun("one");
  expect(only().slices).toStrictEqual({ map: viewState, dropped: { graphs: [graph] } });
});

it("carries the map state of an address to the tab and to the next address", async () => {
  tab.adoptTabMemory("ada");
  const hash = addressHash({ c: "weather", d: "storm-tracks", m: "map", p: viewState });
  const opened = store.openSearches.open("two", hash);
  await settleRequests();
  await gateway.last("/describe").answer(description);
  await opened;
  expect(address.searchAddress(only())).toBe(`/search/two${hash}`);
  expect(sessionStorage.getItem(storageKey)).toContain(`"map":${JSON.stringify(viewState)}`);
});

it("opens an address with an unreadable map state at the initial one", async () => {
  const { parseViewState, initialViewState } = await import("./map/model/map-view-state.ts");
  const read = address.parseSearchAddress("two", addressHash({ c: "weather", d: "storm-tracks", p: { v: ["north"] } }));
  expect(parseViewState(read?.slices["map"])).toStrictEqual(initialViewState);
});

it("rejects an address with an unregistered part", () => {
  expect(address.parseSearchAddress("two", addressHash({ c: "weather", d: "storm-tracks", graphs: [graph] }))).toBeNull();
});

const stormsByName = { breakdown: { measures: [{ aggregation: "count", column: "*" }], by: [{ kind: "value", column: "name" }] } };

it("carries the summaries of an address to the tab and to the next address", async () => {
  tab.adoptTabMemory("ada");
  const hash = addressHash({ c: "weather", d: "storm-tracks", m: "graphs", g: [stormsByName, { title: "Named", ...stormsByName }] });
  const opened = store.openSearches.open("two", hash);
  await settleRequests();
  await gateway.last("/describe").answer(description);
  await opened;
  expect(only().slices["summaries"]).toEqual([
    { ...stormsByName, title: null, chart: null, id: "linked-1" },
    { ...stormsByName, title: "Named", chart: null, id: "linked-2" },
  ]);
  expect(address.searchAddress(only())).toBe(`/search/two${hash}`);
});

it("takes no more summaries from an address than one can hold", () => {
  const long = { ...stormsByName, title: "x".repeat(20_000) };
  const { slices } = address.parseSearchAddress("two", addressHash({ c: "weather", d: "storm-tracks", g: [long, stormsByName] })) ?? {};
  expect(slices?.["summaries"]).toHaveLength(1);
});
