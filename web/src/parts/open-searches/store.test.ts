import { beforeEach, describe, expect, it, vi } from "vitest";
import { lastRangeOf, timeRangeOf } from "#parts/search-model/time-range.ts";
import { buildDescription, buildFilter } from "#testing/dataset-builders.ts";
import { fakeGateway, fakeSessionStorage, settleRequests } from "#testing/fake-gateway.ts";
import { searchAddress } from "#parts/search-model/search-address.ts";
import type * as storeModule from "./store.ts";
import type * as tabModule from "#lib/browser/tab-memory.ts";
import { phaseOf, type SearchFilters, type SearchRecord } from "#parts/search-model/search-record.ts";

const description = buildDescription();
const filters: SearchFilters = {
  geospatial: null,
  timeRange: timeRangeOf(Date.UTC(2004, 8, 2), Date.UTC(2004, 9, 9)),
  dynamic: [buildFilter("wind", { type: "integer", value: 64, operator: ">=" })],
};
const rows = (count: number, from = 0) => Array.from({ length: count }, (_, row) => ({ storm_id: `AL${from + row}` }));
const search = "/datasets/weather/storm-tracks/search";
const count = "/datasets/weather/storm-tracks/aggregate/count/*";

let gateway: ReturnType<typeof fakeGateway>;
let store: typeof storeModule;
let tab: typeof tabModule;

/** Loads the store as on a fresh page. */
async function loadPage(): Promise<void> {
  vi.resetModules();
  gateway = fakeGateway();
  store = await import("./store.ts");
  tab = await import("#lib/browser/tab-memory.ts");
}

const get = (id: string): SearchRecord => {
  const record = store.useOpenSearches.getState().records.find((candidate) => candidate.id === id);
  if (!record) throw new Error(`No record ${id}`);
  return record;
};

async function start(options = { isSample: false }): Promise<string> {
  const id = store.openSearches.start(description, filters, options);
  await settleRequests();
  return id;
}

beforeEach(async () => {
  fakeSessionStorage();
  await loadPage();
});

describe("a relative range", () => {
  const last = { amount: 24, unit: "hours" } as const;
  const nowMs = Date.UTC(2024, 4, 6, 7, 8, 9);
  const timeRangeSentTo = (path: string) => (gateway.last(path).body as { timeRange: unknown }).timeRange;
  const dayBefore = (endMs: number) => ({ start: new Date(endMs - 86_400_000).toISOString(), end: new Date(endMs).toISOString() });

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: nowMs });
    return () => vi.useRealTimers();
  });

  /** The form was filled in an hour earlier. */
  async function startLast(): Promise<string> {
    const id = store.openSearches.start(description, { ...filters, timeRange: lastRangeOf(last, nowMs - 3_600_000) }, { isSample: false });
    await settleRequests();
    return id;
  }

  it("[SEARCH-56] ends at the time of the run, and at the time of a rerun", async () => {
    const id = await startLast();
    expect(timeRangeSentTo("/search")).toStrictEqual(dayBefore(nowMs));
    expect(timeRangeSentTo("/aggregate/count/*")).toStrictEqual(dayBefore(nowMs));
    vi.setSystemTime(nowMs + 60_500);
    store.openSearches.rerun(id);
    await settleRequests();
    expect(timeRangeSentTo("/search")).toStrictEqual(dayBefore(nowMs + 60_000));
    expect(get(id).filters.timeRange).toStrictEqual(lastRangeOf(last, nowMs + 60_500));
  });

  it("stays fixed for further pages and other orders of the same rows", async () => {
    const id = await startLast();
    await gateway.last("/search").answer({ results: rows(25) });
    vi.setSystemTime(nowMs + 60_000);
    store.openSearches.loadMore(id);
    await settleRequests();
    expect(timeRangeSentTo("/search")).toStrictEqual(dayBefore(nowMs));
    await gateway.last("/search").answer({ results: rows(25, 25) });
    store.openSearches.sortBy(id, [{ column: "wind", direction: "desc" }]);
    await settleRequests();
    expect(timeRangeSentTo("/search")).toStrictEqual(dayBefore(nowMs));
  });

  it("ends at the same time for searches that are started together", async () => {
    const relative = { ...filters, timeRange: lastRangeOf(last, nowMs) };
    store.openSearches.start(description, relative, { isSample: false, nowMs: nowMs - 5_000 });
    await settleRequests();
    expect(timeRangeSentTo("/search")).toStrictEqual(dayBefore(nowMs - 5_000));
  });

  it("survives a reload, and then ends at the time of the new request", async () => {
    tab.adoptTabMemory("ada");
    const id = await startLast();
    await loadPage();
    tab.adoptTabMemory("ada");
    vi.setSystemTime(nowMs + 60_000);
    const opened = store.openSearches.open(id, "");
    await settleRequests();
    await gateway.last("/describe").answer(description);
    await opened;
    await settleRequests();
    expect(timeRangeSentTo("/search")).toStrictEqual(dayBefore(nowMs + 60_000));
  });
});

describe("a search", () => {
  it("[SEARCH-50] requests rows and count in parallel with the same filters", async () => {
    await start();
    expect(gateway.calls.map(({ method, path }) => `${method} ${decodeURIComponent(path)}`)).toStrictEqual([
      `POST ${search}`,
      `POST ${count}`,
    ]);
    const expected = {
      timeRange: { start: "2004-09-02T00:00:00.000Z", end: "2004-10-09T00:00:00.000Z" },
      filters: [{ name: "wind", value: 64, operator: ">=" }],
    };
    expect(gateway.last("/search").body).toStrictEqual({ paging: { offset: 0, max: 25 }, ...expected });
    expect(gateway.calls[1]?.body).toStrictEqual(expected);
  });

  it("[RESULT-14] is searching at first, then has results", async () => {
    const id = await start();
    expect(phaseOf(get(id))).toBe("searching");
    await gateway.last("/search").answer({ results: rows(25) });
    expect(phaseOf(get(id))).toBe("results");
    expect(get(id)).toMatchObject({ isSearching: false, currentOffset: 0, allLoaded: false, viewMode: "table" });
    expect(get(id).results).toHaveLength(25);
  });

  it("[RESULT-11] has no total at first, then -1 while the count loads, then the total", async () => {
    const id = store.openSearches.start({ ...description, features: ["PAGINATION"] }, filters, { isSample: false });
    expect(get(id).totalResultCount).toBeNull();
    const counted = await start();
    expect(get(counted).totalResultCount).toBe(-1);
    await gateway.calls.findLast(({ path }) => path.includes("aggregate"))?.answer({ totalResults: 3_000_000 });
    expect(get(counted).totalResultCount).toBe(3_000_000);
  });

  it("[RESULT-12] keeps its rows when the count fails", async () => {
    const id = await start();
    await gateway.last("/search").answer({ results: rows(25) });
    await gateway.calls[1]?.refuse(504, "Too slow.");
    expect(get(id)).toMatchObject({ totalResultCount: null, countError: ["Too slow."], searchError: null });
    expect(get(id).results).toHaveLength(25);
  });

  it.each([[{ totalResults: null }], [{ totalResults: "many" }], [{ totalResults: -5 }], [{}]])(
    "treats the count response %j as a count error",
    async (answer) => {
      const id = await start();
      await gateway.calls[1]?.answer(answer);
      expect(get(id)).toMatchObject({ totalResultCount: null, countError: [expect.any(String)] });
    },
  );

  it("fails with the server's messages", async () => {
    const id = await start();
    await gateway.last("/search").refuse(400, "'wind' is not a column.");
    expect(phaseOf(get(id))).toBe("failed");
    expect(get(id)).toMatchObject({ results: null, searchError: ["'wind' is not a column."] });
  });

  it("[SEARCH-54] fails on results that are null", async () => {
    const id = await start();
    await gateway.last("/search").answer({ results: null });
    expect(get(id)).toMatchObject({ results: null, searchError: [expect.any(String)] });
  });

  it("[SEARCH-49] gets its own id and record, even for a second search on the same dataset", async () => {
    const first = await start();
    const second = await start();
    expect(first).not.toBe(second);
    expect(store.useOpenSearches.getState().records.map(({ id }) => id)).toStrictEqual([second, first]);
  });

  it("requests only the sample, without filters and count, when it is a sample", async () => {
    const id = await start({ isSample: true });
    expect(gateway.calls.map(({ method, path }) => `${method} ${path}`)).toStrictEqual(["GET /datasets/weather/storm-tracks/sample"]);
    await gateway.last("/sample").answer({ results: rows(25) });
    expect(get(id)).toMatchObject({ isSample: true, totalResultCount: null, allLoaded: true, filters: { timeRange: null, dynamic: [] } });
  });
});

describe("more pages", () => {
  it("are appended at the next offset until a short one", async () => {
    const id = await start();
    await gateway.last("/search").answer({ results: rows(25) });
    store.openSearches.loadMore(id);
    store.openSearches.loadMore(id);
    await settleRequests();
    expect(gateway.calls.filter(({ path }) => path.endsWith("/search"))).toHaveLength(2);
    expect(gateway.last("/search").body).toMatchObject({ paging: { offset: 25, max: 25 } });
    await gateway.last("/search").answer({ results: rows(3, 25) });
    expect(get(id)).toMatchObject({ currentOffset: 25, allLoaded: true, isLoadingMore: false });
    expect(get(id).results).toHaveLength(28);
    // The count was not aborted.
    await gateway.calls[1]?.answer({ totalResults: 28 });
    expect(get(id).totalResultCount).toBe(28);
  });

  it("end at the total, whether rows or count arrive first", async () => {
    const id = await start();
    await gateway.calls[1]?.answer({ totalResults: 25 });
    await gateway.last("/search").answer({ results: rows(25) });
    expect(get(id).allLoaded).toBe(true);
    const other = await start();
    await gateway.last("/search").answer({ results: rows(25) });
    expect(get(other).allLoaded).toBe(false);
    await gateway.calls[3]?.answer({ totalResults: 25 });
    expect(get(other).allLoaded).toBe(true);
  });

  it("keep the rows when one fails, and retry the same page", async () => {
    const id = await start();
    await gateway.last("/search").answer({ results: rows(25) });
    store.openSearches.loadMore(id);
    await settleRequests();
    await gateway.last("/search").refuse(503, "Busy.");
    expect(get(id)).toMatchObject({ searchError: ["Busy."], currentOffset: 0, isLoadingMore: false });
    expect(get(id).results).toHaveLength(25);
    store.openSearches.loadMore(id);
    await settleRequests();
    expect(get(id).searchError).toBeNull();
    expect(gateway.last("/search").body).toMatchObject({ paging: { offset: 25 } });
  });

  it("are not requested without PAGINATION", async () => {
    const id = store.openSearches.start({ ...description, features: [] }, filters, { isSample: false });
    await settleRequests();
    expect(gateway.last("/search").body).not.toHaveProperty("paging");
    await gateway.last("/search").answer({ results: rows(40), truncated: true });
    expect(get(id)).toMatchObject({ allLoaded: true, truncated: true });
  });
});

describe("a superseded request", () => {
  it("is aborted, and its late response is ignored", async () => {
    const id = await start();
    const [late, lateCount] = gateway.calls;
    store.openSearches.setFilters(id, { ...filters, timeRange: null });
    await settleRequests();
    expect(late?.signal?.aborted).toBe(true);
    expect(lateCount?.signal?.aborted).toBe(true);
    await late?.answer({ results: rows(1) });
    expect(get(id).isSearching).toBe(true);
    await gateway.last("/search").answer({ results: rows(2) });
    expect(get(id).results).toHaveLength(2);
  });

  it("is replaced from scratch by a rerun", async () => {
    const id = await start();
    await gateway.last("/search").answer({ results: rows(25) });
    await gateway.calls[1]?.answer({ totalResults: 60 });
    store.openSearches.rerun(id);
    expect(get(id)).toMatchObject({
      results: null,
      totalResultCount: -1,
      currentOffset: 0,
      isSearching: true,
    });
  });

  it("leaves rows and total in place until rows in another order arrive", async () => {
    const id = await start();
    await gateway.last("/search").answer({ results: rows(25) });
    await gateway.calls[1]?.answer({ totalResults: 60 });
    store.openSearches.sortBy(id, [{ column: "wind", direction: "desc" }]);
    await settleRequests();
    expect(get(id)).toMatchObject({ isSearching: true, totalResultCount: 60 });
    expect(get(id).results).toHaveLength(25);
    expect(gateway.last("/search").body).toMatchObject({ paging: { offset: 0 }, sort: [{ column: "wind", direction: "desc" }] });
    store.openSearches.cancel(id);
    expect(get(id)).toMatchObject({ sort: [], isSearching: false });
  });

  it("leaves loaded data in place when it is canceled", async () => {
    const id = await start();
    store.openSearches.cancel(id);
    expect(phaseOf(get(id))).toBe("cancelled");
    expect(get(id)).toMatchObject({ totalResultCount: null, countError: null, searchError: null });
    expect(gateway.calls.every(({ signal }) => signal?.aborted)).toBe(true);
  });
});

describe("a reload", () => {
  it("restores the definitions of the same user, and requests rows when a search is opened", async () => {
    tab.adoptTabMemory("ada");
    const id = await start();
    store.openSearches.setViewMode(id, "raw");
    store.openSearches.setVisibleColumns(id, ["wind"]);
    const before = get(id);
    await loadPage();
    tab.adoptTabMemory("ada");
    expect(get(id)).toMatchObject({ filters: before.filters, viewMode: "raw", visibleColumns: ["wind"], results: null });
    expect(phaseOf(get(id))).toBe("new");
    expect(gateway.calls).toHaveLength(0);
    const opened = store.openSearches.open(id, "");
    await settleRequests();
    await gateway.last("/describe").answer({ ...description, features: ["PAGINATION"] });
    expect(await opened).toStrictEqual({ kind: "open" });
    await settleRequests();
    expect(gateway.calls.map(({ path }) => path.split("/").at(-1))).toStrictEqual(["describe", "search"]);
  });

  it("restores nothing for another user, and deletes the stored searches", async () => {
    tab.adoptTabMemory("ada");
    await start();
    await loadPage();
    tab.adoptTabMemory("bob");
    expect(store.useOpenSearches.getState().records).toHaveLength(0);
    await loadPage();
    tab.adoptTabMemory("ada");
    expect(store.useOpenSearches.getState().records).toHaveLength(0);
  });

  it("restores nothing after an explicit logout", async () => {
    tab.adoptTabMemory("ada");
    await start();
    tab.forgetTabMemory();
    expect(gateway.calls.every(({ signal }) => signal?.aborted)).toBe(true);
    expect(store.useOpenSearches.getState().records).toHaveLength(0);
    await loadPage();
    tab.adoptTabMemory("ada");
    expect(store.useOpenSearches.getState().records).toHaveLength(0);
  });

  it("starts empty when the stored value is invalid", async () => {
    sessionStorage.setItem("fairway.tab.open-searches", JSON.stringify({ owner: "ada", state: { searches: "?" } }));
    tab.adoptTabMemory("ada");
    expect(store.useOpenSearches.getState().records).toHaveLength(0);
    sessionStorage.setItem("fairway.tab.open-searches", "{");
    await loadPage();
    expect(() => tab.adoptTabMemory("ada")).not.toThrow();
  });
});

describe("an address", () => {
  const addressOf = (record: SearchRecord) => new URL(searchAddress(record), "https://fairway.example").hash;

  it("restores the search in another tab after loading the description", async () => {
    const id = await start();
    const hash = addressOf(get(id));
    await loadPage();
    const opened = store.openSearches.open(id, hash);
    await settleRequests();
    expect(gateway.calls.map(({ path }) => path)).toStrictEqual(["/datasets/weather/storm-tracks/describe"]);
    await gateway.last("/describe").answer(description);
    expect(await opened).toStrictEqual({ kind: "open" });
    expect(get(id).filters.timeRange).toStrictEqual(filters.timeRange);
    await settleRequests();
    expect(gateway.last("/search").body).toMatchObject({ filters: [{ name: "wind", value: 64, operator: ">=" }] });
  });

  it("does not reopen a search that this tab closed, even after a reload", async () => {
    tab.adoptTabMemory("ada");
    const id = await start();
    const hash = addressOf(get(id));
    store.openSearches.close(id);
    expect(await store.openSearches.open(id, hash)).toStrictEqual({ kind: "closed" });
    await loadPage();
    tab.adoptTabMemory("ada");
    expect(await store.openSearches.open(id, hash)).toStrictEqual({ kind: "closed" });
  });

  it.each([
    [404, { kind: "no-access" }],
    [403, { kind: "no-access" }],
    [500, { kind: "failed", messages: ["No."] }],
  ])("reports a dataset that responds with %i", async (status, outcome) => {
    const hash = addressOf(get(await start()));
    await loadPage();
    const opened = store.openSearches.open("x", hash);
    await settleRequests();
    await gateway.last("/describe").refuse(status, "No.");
    expect(await opened).toStrictEqual(outcome);
    expect(store.useOpenSearches.getState().records).toHaveLength(0);
  });

  it("reports an own dataset that is not there for the user as gone", async () => {
    const record = get(await start());
    const { datasetDescription } = record;
    const hash = addressOf({
      ...record,
      datasetDescription: { ...datasetDescription, category: { ...datasetDescription.category, id: "~ada" } },
    });
    await loadPage();
    const opened = store.openSearches.open("x", hash);
    await settleRequests();
    await gateway.last("/describe").refuse(404, "This dataset no longer exists.");
    expect(await opened).toStrictEqual({ kind: "gone" });
  });

  it("is unknown when it contains no valid search", async () => {
    expect(await store.openSearches.open("nobody", "#1.garbage")).toStrictEqual({ kind: "unknown" });
    expect(gateway.calls).toHaveLength(0);
  });
});

it("keeps at most fifty searches and drops the oldest", async () => {
  const oldest = await start();
  for (let more = 0; more < 50; more += 1) await start();
  expect(store.useOpenSearches.getState().records).toHaveLength(50);
  expect(store.useOpenSearches.getState().records.some(({ id }) => id === oldest)).toBe(false);
  expect(gateway.calls[0]?.signal?.aborted).toBe(true);
});
