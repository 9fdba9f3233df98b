import { beforeEach, describe, expect, it, vi } from "vitest";
import { timeRangeOf } from "#parts/search-model/time-range.ts";
import type * as storeModule from "#parts/open-searches/store.ts";
import { buildDescription, buildFilter } from "#testing/dataset-builders.ts";
import { fakeGateway, fakeSessionStorage, settleRequests } from "#testing/fake-gateway.ts";
import type * as tabModule from "#lib/browser/tab-memory.ts";
import type { Graph, GraphDefinition } from "@fairway/contract/charts/graph";
import type * as graphStoreModule from "./graph-store.ts";
import type * as graphsModule from "./open-graphs.ts";

const color = "#099bf1";
const byHour: GraphDefinition = {
  title: "Winds",
  type: "bar",
  groupingType: "hour",
  groupings: [],
  columns: [{ id: "c", model: "wind", aggregation: "max", color }],
  stacked: false,
  logAxis: false,
};
const startMs = Date.UTC(2005, 7, 28);
const filtersOver = (hours: number) => ({
  geospatial: null,
  timeRange: timeRangeOf(startMs, startMs + hours * 3_600_000 - 1_000),
  dynamic: [buildFilter("wind", { type: "integer", value: 64, operator: ">=" })],
});
const path = "/datasets/weather/storm-tracks/aggregate";

let gateway: ReturnType<typeof fakeGateway>;
let searches: typeof storeModule;
let graphs: typeof graphsModule;
let store: typeof graphStoreModule;
let tab: typeof tabModule;

async function load(): Promise<void> {
  vi.resetModules();
  gateway = fakeGateway();
  searches = await import("#parts/open-searches/store.ts");
  graphs = await import("./open-graphs.ts");
  store = await import("./graph-store.ts");
  tab = await import("#lib/browser/tab-memory.ts");
}

beforeEach(async () => {
  fakeSessionStorage();
  await load();
});

const startSearch = (hours: number): string => searches.openSearches.start(buildDescription(), filtersOver(hours), { isSample: false });
const all = (id: string): readonly Graph[] => store.graphsIn(id);
const only = (id: string): Graph => {
  const [graph, ...more] = all(id);
  if (!graph || more.length > 0) throw new Error(`${all(id).length} graphs`);
  return graph;
};
const requests = () => gateway.calls.filter((call) => call.path.startsWith(path) && !call.path.endsWith("/count/*"));
async function saveGraph(id: string, definition = byHour): Promise<string> {
  const graphId = graphs.openGraphs.save(id, definition, { id: null, hasWarned: false });
  await settleRequests();
  return graphId ?? "";
}

describe("a small graph", () => {
  it("[GRAPH-30][GRAPH-31] requests each value separately with the group's range, at most 6 at once", async () => {
    const id = startSearch(8);
    await saveGraph(id);
    expect(requests()).toHaveLength(6);
    expect(requests()[1]).toMatchObject({
      method: "POST",
      path: `${path}/max/wind`,
      body: {
        timeRange: { start: "2005-08-28T01:00:00.000Z", end: "2005-08-28T01:59:59.999Z" },
        filters: [{ name: "wind", value: 64, operator: ">=" }],
      },
    });
    await requests()[3]?.answer({ "max(wind)": 33 });
    expect(requests()).toHaveLength(7);
    expect(only(id)).toMatchObject({ isLoading: true, progress: { done: 1, of: 8 } });
    for (let index = 0; index < 8; index += 1) {
      // The fourth is already answered; the last two are requested once there is capacity.
      if (index !== 3) await requests()[index]?.answer({ "max(wind)": index === 5 ? null : index });
    }
    expect(only(id)).toMatchObject({ isLoading: false, hasLoadingError: false });
    expect(only(id).data?.values).toEqual([[0], [1], [2], [33], [4], [null], [6], [7]]);
  });

  it.each([
    ["[GRAPH-32] two keys", { "max(wind)": 1, more: 2 }, "The server returned 2 values instead of one."],
    ["[GRAPH-32] no key", {}, "The server returned 0 values instead of one."],
    ["no number", { "max(wind)": "much" }, "The server's response contains no number."],
  ])("fails with a response with %s, aborts pending requests and can reload", async (_, answer, message) => {
    const id = startSearch(8);
    const graphId = await saveGraph(id);
    await requests()[0]?.answer(answer);
    expect(only(id)).toMatchObject({ isLoading: false, hasLoadingError: true, loadingErrors: [message], data: null });
    expect(
      requests()
        .slice(1)
        .every(({ signal }) => signal?.aborted),
    ).toBe(true);
    graphs.openGraphs.load(id, graphId);
    await settleRequests();
    expect(only(id)).toMatchObject({ isLoading: true, hasLoadingError: false });
  });

  it("ignores late responses after cancellation", async () => {
    const id = startSearch(2);
    const graphId = await saveGraph(id);
    const late = requests();
    graphs.openGraphs.cancel(id, graphId);
    expect(late.every(({ signal }) => signal?.aborted)).toBe(true);
    await settleRequests();
    expect(only(id)).toMatchObject({ isCancelled: true, isLoading: false, hasLoadingError: false, data: null });
  });
});

describe("a large graph", () => {
  it("requests all groups in one call and reorders the response", async () => {
    const id = startSearch(25);
    await saveGraph(id);
    expect(requests()).toHaveLength(1);
    const { path: requestPath, body } = gateway.last("/aggregate");
    expect(requestPath).toBe(path);
    const { search, groups, aggregations } = body as { search: unknown; groups: { id: string }[]; aggregations: unknown };
    expect(search).toMatchObject({ timeRange: { start: "2005-08-28T00:00:00.000Z" }, filters: [{ name: "wind" }] });
    expect(groups[24]).toEqual({ id: "2005-08-29T00", timeRange: { start: "2005-08-29T00:00:00.000Z", end: "2005-08-29T00:59:59.000Z" } });
    expect(aggregations).toEqual([{ aggregation: "max", column: "wind" }]);
    await gateway.last("/aggregate").answer({ groups: groups.map((group, index) => ({ id: group.id, values: [index] })).toReversed() });
    expect(only(id).data?.values.map(([value]) => value)).toEqual(groups.map((_, index) => index));
  });

  it("falls back to single requests without batch support, and fails if the graph itself is refused", async () => {
    const refusal = { code: "not-supported", message: "One at a time only." };
    const id = startSearch(25);
    const graphId = await saveGraph(id);
    await gateway.last("/aggregate").answer({ errors: [refusal] }, 400);
    const singly = requests().filter((call) => call.path === `${path}/max/wind`);
    expect(singly).toHaveLength(6);
    await singly[0]?.answer({ "max(wind)": 33 });
    expect(only(id)).toMatchObject({ isLoading: true, progress: { done: 1, of: 25 } });

    graphs.openGraphs.load(id, graphId);
    await settleRequests();
    const before = requests().length;
    await gateway.last("/aggregate").answer({ errors: [{ ...refusal, path: "groups.0.timeRange" }] }, 400);
    expect(only(id)).toMatchObject({ hasLoadingError: true, loadingErrors: ["One at a time only."] });
    expect(requests()).toHaveLength(before);
  });

  it("fails if the response lacks a value", async () => {
    const id = startSearch(25);
    await saveGraph(id);
    await gateway.last("/aggregate").answer({ groups: [{ id: "2005-08-28T00", values: [1] }] });
    expect(only(id)).toMatchObject({ hasLoadingError: true, loadingErrors: ["The server's response is missing some values."] });
  });
});

it("[GRAPH-34] stores definition, search payload and dataset of a graph", async () => {
  const id = startSearch(2);
  const graphId = await saveGraph(id);
  expect(only(id)).toMatchObject({
    id: graphId,
    ...byHour,
    data: null,
    isLoading: true,
    hasLoadingError: false,
    isZoomed: false,
    hasShownLargeGroupingWarning: false,
    searchPayload: { timeRange: { start: "2005-08-28T00:00:00.000Z", end: "2005-08-28T01:59:59.000Z" } },
    datasetCategory: "weather",
    datasetId: "storm-tracks",
  });
});

it("[GRAPH-02] replaces an edited graph in place; a new appearance sends no request, new values do", async () => {
  const id = startSearch(1);
  const graphId = await saveGraph(id);
  await requests()[0]?.answer({ "max(wind)": 7 });
  graphs.openGraphs.save(id, { ...byHour, title: "Other", type: "pie" }, { id: graphId, hasWarned: true });
  await settleRequests();
  expect(only(id)).toMatchObject({ id: graphId, title: "Other", type: "pie", hasShownLargeGroupingWarning: true, data: { values: [[7]] } });
  expect(requests()).toHaveLength(1);
  graphs.openGraphs.save(
    id,
    { ...byHour, columns: [{ id: "c", model: "wind", aggregation: "avg", color }] },
    { id: graphId, hasWarned: true },
  );
  await settleRequests();
  expect(requests()).toHaveLength(2);
  expect(only(id).data).toBeNull();
});

it("[GRAPH-03][GRAPH-04] zooms one graph at a time, and aborts the request of a removed one", async () => {
  const id = startSearch(1);
  const first = await saveGraph(id);
  const second = await saveGraph(id);
  graphs.openGraphs.zoom(id, first);
  graphs.openGraphs.zoom(id, second);
  expect(all(id).map(({ isZoomed }) => isZoomed)).toEqual([false, true]);
  graphs.openGraphs.remove(id, first);
  expect(requests()[0]?.signal?.aborted).toBe(true);
  expect(only(id).id).toBe(second);
});

describe("the search of graphs", () => {
  it.each([
    ["[RESULT-44] that is rerun", (id: string) => searches.openSearches.rerun(id)],
    ["[GRAPH-29] whose filter is edited", (id: string) => searches.openSearches.setFilters(id, filtersOver(3))],
  ])("%s removes its graphs, also from storage", async (_, change) => {
    tab.adoptTabMemory("ada");
    const id = startSearch(1);
    await saveGraph(id);
    const call = requests()[0];
    change(id);
    expect(all(id)).toEqual([]);
    expect(call?.signal?.aborted).toBe(true);
    await load();
    tab.adoptTabMemory("ada");
    expect(all(id)).toEqual([]);
  });

  it("keeps graph definitions across a reload and requests values when they are shown", async () => {
    tab.adoptTabMemory("ada");
    const id = startSearch(1);
    const graphId = await saveGraph(id);
    await load();
    tab.adoptTabMemory("ada");
    expect(only(id)).toMatchObject({ ...byHour, id: graphId, data: null, isLoading: false });
    const opened = searches.openSearches.open(id, "");
    await settleRequests();
    await gateway.last("/describe").answer(buildDescription());
    await opened;
    expect(only(id)).toMatchObject({ id: graphId });
    expect(requests()).toHaveLength(0);
    graphs.openGraphs.loadMissing(id);
    await settleRequests();
    expect(requests()).toHaveLength(1);
    graphs.openGraphs.loadMissing(id);
    await settleRequests();
    expect(requests()).toHaveLength(1);
  });

  it("[GRAPH-28] keeps cancellation and warnings across a reload: nothing starts by itself or warns twice", async () => {
    tab.adoptTabMemory("ada");
    const id = startSearch(1);
    const graphId = await saveGraph(id);
    graphs.openGraphs.setWarned(id, graphId);
    graphs.openGraphs.cancel(id, graphId);
    await load();
    tab.adoptTabMemory("ada");
    expect(only(id)).toMatchObject({ isCancelled: true, hasShownLargeGroupingWarning: true });
    graphs.openGraphs.loadMissing(id);
    await settleRequests();
    expect(requests()).toHaveLength(0);
    graphs.openGraphs.load(id, graphId);
    await settleRequests();
    expect(requests()).toHaveLength(1);
    await load();
    tab.adoptTabMemory("ada");
    expect(only(id)).toMatchObject({ isCancelled: false, data: null });
  });

  it("aborts requests when it is closed", async () => {
    const id = startSearch(1);
    await saveGraph(id);
    searches.openSearches.close(id);
    expect(requests()[0]?.signal?.aborted).toBe(true);
  });
});
