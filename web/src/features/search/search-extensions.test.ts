import { beforeEach, expect, it, vi } from "vitest";
import { buildDescription } from "#testing/dataset-builders.ts";
import { fakeGateway, fakeSessionStorage, settled } from "#testing/fake-gateway.ts";
import type * as tabModule from "#lib/tab-memory.ts";
import type * as addressModule from "#parts/search-model/search-address.ts";
import type * as storeModule from "#parts/open-searches/store.ts";

const description = buildDescription();
const place = { v: [-80.5, 27.25, 5], s: "AL012005", p: ["AL012005"], t: [1_125_273_600_000, null, 60] };
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
/** What a tab of every version so far stored, byte by byte. */
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
        map: place,
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

/** A freshly loaded page, without the code of graphs and map. */
beforeEach(async () => {
  fakeSessionStorage();
  vi.resetModules();
  gateway = fakeGateway();
  await import("./search-extensions.ts");
  store = await import("#parts/open-searches/store.ts");
  address = await import("#parts/search-model/search-address.ts");
  tab = await import("#lib/tab-memory.ts");
});

const only = () => {
  const [record] = store.useOpenSearches.getState().records;
  if (!record) throw new Error("No search is open");
  return record;
};
const addressed = (parts: object) => `#1.${btoa(JSON.stringify(parts)).replace(/=+$/, "")}`;

it("keeps graphs and the place on the map in the tab byte by byte before their code is loaded", () => {
  sessionStorage.setItem(storageKey, stored);
  tab.adoptTabMemory("ada");
  store.openSearches.setViewMode("one", "map");
  expect(sessionStorage.getItem(storageKey)).toBe(stored);
});

it("shows the stored graphs and place once their code is loaded, also after the search was run again for the reload", async () => {
  sessionStorage.setItem(storageKey, stored);
  tab.adoptTabMemory("ada");
  const opened = store.openSearches.open("one", "");
  await settled();
  await gateway.last("/describe").answer(description);
  expect(await opened).toStrictEqual({ kind: "open" });
  const { graphsIn } = await import("./graphs/model/graph-store.ts");
  const { placeOfSlice } = await import("./map/model/map-place.ts");
  expect(graphsIn("one")).toMatchObject([{ ...graph, data: null }]);
  expect(placeOfSlice(only().slices["map"])).toMatchObject({ selected: "AL012005", paths: ["AL012005"], clock: place.t });
});

it("drops the graphs when the search is run again, and keeps the place on the map", () => {
  sessionStorage.setItem(storageKey, stored);
  tab.adoptTabMemory("ada");
  store.openSearches.rerun("one");
  expect(only().slices).toStrictEqual({ map: place });
});

it("carries the place of an address on to the tab and to the next address", async () => {
  tab.adoptTabMemory("ada");
  const hash = addressed({ c: "weather", d: "storm-tracks", m: "map", p: place });
  const opened = store.openSearches.open("two", hash);
  await settled();
  await gateway.last("/describe").answer(description);
  await opened;
  expect(address.searchAddress(only())).toBe(`/search/two${hash}`);
  expect(sessionStorage.getItem(storageKey)).toContain(`"map":${JSON.stringify(place)}`);
});

it("opens an address whose place nobody can read where a map starts", async () => {
  const { placeOfSlice, startPlace } = await import("./map/model/map-place.ts");
  const read = address.recordFromAddress("two", addressed({ c: "weather", d: "storm-tracks", p: { v: ["north"] } }));
  expect(placeOfSlice(read?.slices["map"])).toStrictEqual(startPlace);
});

it("refuses an address with a part that nobody registered", () => {
  expect(address.recordFromAddress("two", addressed({ c: "weather", d: "storm-tracks", graphs: [graph] }))).toBeNull();
});
