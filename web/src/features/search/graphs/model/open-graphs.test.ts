import { beforeEach, describe, expect, it, vi } from "vitest";
import { timeRangeOf } from "#parts/search-model/time-range.ts";
import type * as storeModule from "#parts/open-searches/store.ts";
import { buildDescription, buildFilter } from "#testing/dataset-builders.ts";
import { fakeGateway, fakeSessionStorage, settled } from "#testing/fake-gateway.ts";
import type * as tabModule from "#lib/tab-memory.ts";
import type { Graph, GraphDefinition } from "./graph.ts";
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
const begin = Date.UTC(2005, 7, 28);
const filtersOver = (hours: number) => ({
  geospatial: null,
  timeRange: timeRangeOf(begin, begin + hours * 3_600_000 - 1_000),
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
  tab = await import("#lib/tab-memory.ts");
}

beforeEach(async () => {
  fakeSessionStorage();
  await load();
});

const begun = (hours: number): string => searches.openSearches.start(buildDescription(), filtersOver(hours), { isSample: false });
const all = (id: string): readonly Graph[] => store.graphsIn(id);
const only = (id: string): Graph => {
  const [graph, ...more] = all(id);
  if (!graph || more.length > 0) throw new Error(`${all(id).length} graphs`);
  return graph;
};
const asked = () => gateway.asked.filter((call) => call.path.startsWith(path) && !call.path.endsWith("/count/*"));
async function saved(id: string, definition = byHour): Promise<string> {
  const graphId = graphs.openGraphs.save(id, definition, { id: null, hasWarned: false });
  await settled();
  return graphId ?? "";
}

describe("a small graph", () => {
  it("[GRAPH-30][GRAPH-31] asks for each value by a call of its own, with the group's range in the search, at most 6 at once", async () => {
    const id = begun(8);
    await saved(id);
    expect(asked()).toHaveLength(6);
    expect(asked()[1]).toMatchObject({
      method: "POST",
      path: `${path}/max/wind`,
      body: {
        timeRange: { start: "2005-08-28T01:00:00.000Z", end: "2005-08-28T01:59:59.999Z" },
        filters: [{ name: "wind", value: 64, operator: ">=" }],
      },
    });
    await asked()[3]?.answer({ "max(wind)": 33 });
    expect(asked()).toHaveLength(7);
    expect(only(id)).toMatchObject({ isLoading: true, progress: { done: 1, of: 8 } });
    for (let index = 0; index < 8; index += 1) {
      // The fourth is answered already; the last two are asked once there is room.
      if (index !== 3) await asked()[index]?.answer({ "max(wind)": index === 5 ? null : index });
    }
    expect(only(id)).toMatchObject({ isLoading: false, hasLoadingError: false });
    expect(only(id).data?.values).toEqual([[0], [1], [2], [33], [4], [null], [6], [7]]);
  });

  it.each([
    ["[GRAPH-32] two keys", { "max(wind)": 1, more: 2 }, "The server answered 2 values in place of one."],
    ["[GRAPH-32] no key", {}, "The server answered 0 values in place of one."],
    ["no number", { "max(wind)": "much" }, "The server's answer holds no number."],
  ])("fails with an answer of %s, drops what is on its way and loads anew", async (_, answer, message) => {
    const id = begun(8);
    const graphId = await saved(id);
    await asked()[0]?.answer(answer);
    expect(only(id)).toMatchObject({ isLoading: false, hasLoadingError: true, loadingErrors: [message], data: null });
    expect(
      asked()
        .slice(1)
        .every(({ signal }) => signal?.aborted),
    ).toBe(true);
    graphs.openGraphs.load(id, graphId);
    await settled();
    expect(only(id)).toMatchObject({ isLoading: true, hasLoadingError: false });
  });

  it("that is cancelled hears no late answer", async () => {
    const id = begun(2);
    const graphId = await saved(id);
    const late = asked();
    graphs.openGraphs.cancel(id, graphId);
    expect(late.every(({ signal }) => signal?.aborted)).toBe(true);
    await settled();
    expect(only(id)).toMatchObject({ isCancelled: true, isLoading: false, hasLoadingError: false, data: null });
  });
});

describe("a large graph", () => {
  it("asks for all groups by one call and puts the answer in their order", async () => {
    const id = begun(25);
    await saved(id);
    expect(asked()).toHaveLength(1);
    const { path: asks, body } = gateway.last("/aggregate");
    expect(asks).toBe(path);
    const { search, groups, aggregations } = body as { search: unknown; groups: { id: string }[]; aggregations: unknown };
    expect(search).toMatchObject({ timeRange: { start: "2005-08-28T00:00:00.000Z" }, filters: [{ name: "wind" }] });
    expect(groups[24]).toEqual({ id: "2005-08-29T00", timeRange: { start: "2005-08-29T00:00:00.000Z", end: "2005-08-29T00:59:59.000Z" } });
    expect(aggregations).toEqual([{ aggregation: "max", column: "wind" }]);
    await gateway.last("/aggregate").answer({ groups: groups.map((group, index) => ({ id: group.id, values: [index] })).toReversed() });
    expect(only(id).data?.values.map(([value]) => value)).toEqual(groups.map((_, index) => index));
  });

  it("asks for each value where the source answers no groups at once, and fails where the graph itself is refused", async () => {
    const refusal = { code: "not-supported", message: "One at a time only." };
    const id = begun(25);
    const graphId = await saved(id);
    await gateway.last("/aggregate").answer({ errors: [refusal] }, 400);
    const singly = asked().filter((call) => call.path === `${path}/max/wind`);
    expect(singly).toHaveLength(6);
    await singly[0]?.answer({ "max(wind)": 33 });
    expect(only(id)).toMatchObject({ isLoading: true, progress: { done: 1, of: 25 } });

    graphs.openGraphs.load(id, graphId);
    await settled();
    const before = asked().length;
    await gateway.last("/aggregate").answer({ errors: [{ ...refusal, path: "groups.0.timeRange" }] }, 400);
    expect(only(id)).toMatchObject({ hasLoadingError: true, loadingErrors: ["One at a time only."] });
    expect(asked()).toHaveLength(before);
  });

  it("fails where the answer lacks a value", async () => {
    const id = begun(25);
    await saved(id);
    await gateway.last("/aggregate").answer({ groups: [{ id: "2005-08-28T00", values: [1] }] });
    expect(only(id)).toMatchObject({ hasLoadingError: true, loadingErrors: ["The server's answer does not hold every value."] });
  });
});

it("[GRAPH-34] a graph holds what it draws, the search it asked with and the dataset", async () => {
  const id = begun(2);
  const graphId = await saved(id);
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

it("[GRAPH-02] an edited graph takes its own place; other looks ask for nothing, other values anew", async () => {
  const id = begun(1);
  const graphId = await saved(id);
  await asked()[0]?.answer({ "max(wind)": 7 });
  graphs.openGraphs.save(id, { ...byHour, title: "Other", type: "pie" }, { id: graphId, hasWarned: true });
  await settled();
  expect(only(id)).toMatchObject({ id: graphId, title: "Other", type: "pie", hasShownLargeGroupingWarning: true, data: { values: [[7]] } });
  expect(asked()).toHaveLength(1);
  graphs.openGraphs.save(
    id,
    { ...byHour, columns: [{ id: "c", model: "wind", aggregation: "avg", color }] },
    { id: graphId, hasWarned: true },
  );
  await settled();
  expect(asked()).toHaveLength(2);
  expect(only(id).data).toBeNull();
});

it("[GRAPH-03][GRAPH-04] one graph at a time is zoomed, and one is removed with what it has on its way", async () => {
  const id = begun(1);
  const first = await saved(id);
  const second = await saved(id);
  graphs.openGraphs.zoom(id, first);
  graphs.openGraphs.zoom(id, second);
  expect(all(id).map(({ isZoomed }) => isZoomed)).toEqual([false, true]);
  graphs.openGraphs.remove(id, first);
  expect(asked()[0]?.signal?.aborted).toBe(true);
  expect(only(id).id).toBe(second);
});

describe("the search of graphs", () => {
  it.each([
    ["[RESULT-44] that runs again", (id: string) => searches.openSearches.rerun(id)],
    ["[GRAPH-29] whose filter is edited", (id: string) => searches.openSearches.setFilters(id, filtersOver(3))],
  ])("%s removes them, also for a reload", async (_, act) => {
    tab.adoptTabMemory("ada");
    const id = begun(1);
    await saved(id);
    const call = asked()[0];
    act(id);
    expect(all(id)).toEqual([]);
    expect(call?.signal?.aborted).toBe(true);
    await load();
    tab.adoptTabMemory("ada");
    expect(all(id)).toEqual([]);
  });

  it("keeps what was said of them over a reload, and asks for their values when they are looked at", async () => {
    tab.adoptTabMemory("ada");
    const id = begun(1);
    const graphId = await saved(id);
    await load();
    tab.adoptTabMemory("ada");
    expect(only(id)).toMatchObject({ ...byHour, id: graphId, data: null, isLoading: false });
    const opened = searches.openSearches.open(id, "");
    await settled();
    await gateway.last("/describe").answer(buildDescription());
    await opened;
    expect(only(id)).toMatchObject({ id: graphId });
    expect(asked()).toHaveLength(0);
    graphs.openGraphs.loadWaiting(id);
    await settled();
    expect(asked()).toHaveLength(1);
    graphs.openGraphs.loadWaiting(id);
    await settled();
    expect(asked()).toHaveLength(1);
  });

  it("[GRAPH-28] keeps over a reload what was cancelled and what was warned of: nothing begins by itself, nothing is asked twice", async () => {
    tab.adoptTabMemory("ada");
    const id = begun(1);
    const graphId = await saved(id);
    graphs.openGraphs.setWarned(id, graphId);
    graphs.openGraphs.cancel(id, graphId);
    await load();
    tab.adoptTabMemory("ada");
    expect(only(id)).toMatchObject({ isCancelled: true, hasShownLargeGroupingWarning: true });
    graphs.openGraphs.loadWaiting(id);
    await settled();
    expect(asked()).toHaveLength(0);
    graphs.openGraphs.load(id, graphId);
    await settled();
    expect(asked()).toHaveLength(1);
    await load();
    tab.adoptTabMemory("ada");
    expect(only(id)).toMatchObject({ isCancelled: false, data: null });
  });

  it("stops them when it is closed", async () => {
    const id = begun(1);
    await saved(id);
    searches.openSearches.close(id);
    expect(asked()[0]?.signal?.aborted).toBe(true);
  });
});
