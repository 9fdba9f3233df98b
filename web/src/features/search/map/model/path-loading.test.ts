import type { ResultRow } from "@fairway/contract/search";
import { describe, expect, it, vi } from "vitest";
import { buildColumn, buildDescription } from "#testing/dataset-builders.ts";
import { newRecord } from "#parts/search-model/search-record.ts";
import { mapFieldsOf } from "./map-fields.ts";
import { gapsOf, hasPath, pathDataOf, pathPoints } from "./path-model.ts";
import { type LoadedPath, loadPaths, type PathLoad, type PathPlan } from "./path-loading.ts";

const description = buildDescription({
  columns: [
    buildColumn("storm_id"),
    buildColumn("time", { type: "TIMESTAMP_SECONDS" }),
    buildColumn("latitude", { type: "decimal" }),
    buildColumn("longitude", { type: "decimal" }),
    buildColumn("position", { combined: { type: "COORDINATES", fields: ["latitude", "longitude"], joinedBy: ", " } }),
  ],
  mapSupport: { groupItemField: "storm_id", itemLocationField: "position", itemTemporalField: "time" },
});
const fields = mapFieldsOf(description);
if (!fields) throw new Error("The description has map support.");

const plan: PathPlan = { pointsPerCall: 10, callsWithoutWarning: 2, canPage: true };
const rows = (count: number): ResultRow[] => Array.from({ length: count }, (_, time) => ({ time }));

/** A path of so many rows, what was asked of it and what it came to. */
function pathOf(total: number, { counted = total, truncated = false } = {}) {
  const asked: unknown[] = [];
  const percents: number[] = [];
  const outcomes: (LoadedPath | "declined" | Error)[] = [];
  const run = new AbortController();
  const load: PathLoad = {
    calls: {
      count: () => Promise.resolve(counted),
      page: (paging?: { offset: number; max: number }) => {
        asked.push(paging);
        const all = rows(total);
        return Promise.resolve({ rows: paging ? all.slice(paging.offset, paging.offset + paging.max) : all, truncated });
      },
    },
    signal: run.signal,
    onPercent: (percent) => percents.push(percent),
    onLoaded: (path) => outcomes.push(path),
    onDeclined: () => outcomes.push("declined"),
    onFailed: (error) => outcomes.push(error instanceof Error ? error : new Error(String(error))),
  };
  return { load, run, asked, percents, outcomes };
}

const never = () => Promise.reject(new Error("Nobody is asked."));
const rowsOf = (outcomes: readonly unknown[]) => outcomes.map((outcome) => (outcome as LoadedPath).rows.length);

describe("a path", () => {
  it("[MAP-11][MAP-13] comes page by page, with a percent from 0 on", async () => {
    const { load, asked, percents, outcomes } = pathOf(17);
    await loadPaths([load], plan, never);
    expect(outcomes).toEqual([{ rows: rows(17), isCut: false }]);
    expect(asked).toEqual([
      { offset: 0, max: 10 },
      { offset: 10, max: 10 },
    ]);
    expect(percents).toEqual([0, 58, 100]);
  });

  it("[MAP-22][MAP-23] of more calls than go without a question is loaded after a yes, and stays hidden after a no", async () => {
    const { load, asked, outcomes } = pathOf(21);
    const mayLoad = vi.fn<() => Promise<boolean>>().mockResolvedValueOnce(false).mockResolvedValueOnce(true);
    await loadPaths([load], plan, mayLoad);
    expect([asked, outcomes]).toEqual([[], ["declined"]]);
    expect(mayLoad).toHaveBeenCalledWith({ paths: 1, points: 21, calls: 3 });
    await loadPaths([load], plan, mayLoad);
    expect(rowsOf(outcomes.slice(1))).toEqual([21]);
  });

  it("[MAP-22] of exactly as many calls as go without a question asks nobody", async () => {
    const { load, outcomes } = pathOf(20);
    await loadPaths([load], plan, never);
    expect(rowsOf(outcomes)).toEqual([20]);
  });

  it("ends where the data shrank after they were counted", async () => {
    const { load, asked, outcomes } = pathOf(4, { counted: 20 });
    await loadPaths([load], plan, never);
    expect(rowsOf(outcomes)).toEqual([4]);
    expect(asked).toHaveLength(1);
  });

  it("of a dataset that does not page is one answer, which says where it was cut", async () => {
    const { load, asked, outcomes } = pathOf(12, { truncated: true });
    await loadPaths([load], { ...plan, canPage: false }, never);
    expect(outcomes).toEqual([{ rows: rows(12), isCut: true }]);
    expect(asked).toEqual([undefined]);
  });

  it("that was cancelled while the question stood is not loaded, and nothing is told of it", async () => {
    const { load, run, asked, outcomes } = pathOf(100);
    await loadPaths([load], plan, () => {
      run.abort();
      return Promise.resolve(true);
    });
    expect([asked, outcomes]).toEqual([[], []]);
  });
});

describe("several paths", () => {
  it("[MAP-22] are counted before any is loaded, and asked about once where they are too much together", async () => {
    const paths = [pathOf(9), pathOf(9), pathOf(3)];
    const loads = paths.map(({ load }) => load);
    const mayLoad = vi.fn<() => Promise<boolean>>().mockResolvedValueOnce(false).mockResolvedValueOnce(true);
    await loadPaths(loads, plan, mayLoad);
    expect(mayLoad).toHaveBeenCalledExactlyOnceWith({ paths: 3, points: 21, calls: 3 });
    expect(paths.map(({ asked, outcomes }) => [asked, outcomes])).toEqual([
      [[], ["declined"]],
      [[], ["declined"]],
      [[], ["declined"]],
    ]);
    await loadPaths(loads, plan, mayLoad);
    expect(paths.map(({ outcomes }) => rowsOf(outcomes.slice(1)))).toEqual([[9], [9], [3]]);
  });

  it("ask nobody where they have as many points together as one may have", async () => {
    const paths = [pathOf(8), pathOf(8), pathOf(4)];
    await loadPaths(
      paths.map(({ load }) => load),
      plan,
      never,
    );
    expect(paths.map(({ outcomes }) => rowsOf(outcomes))).toEqual([[8], [8], [4]]);
  });

  it("come without the one that fails or is cancelled, which counts for nothing", async () => {
    const [good, failing, cancelled] = [pathOf(5), pathOf(30), pathOf(30)];
    failing.load.calls.count = () => Promise.reject(new Error("Every engine slot is taken."));
    cancelled.load.calls.count = () => {
      cancelled.run.abort();
      return Promise.resolve(30);
    };
    await loadPaths([failing.load, cancelled.load, good.load], plan, never);
    expect(failing.outcomes).toEqual([new Error("Every engine slot is taken.")]);
    expect(cancelled.outcomes).toEqual([]);
    expect(rowsOf(good.outcomes)).toEqual([5]);
  });
});

describe("a path call", () => {
  const record = newRecord({
    id: "1",
    timestamp: 0,
    datasetDescription: description,
    isSample: false,
    filters: {
      geospatial: null,
      timeRange: { startMs: 0, endMs: 60_000, text: "" },
      dynamic: [],
    },
    sort: [{ column: "time", direction: "asc" }],
    visibleColumns: null,
    viewMode: "map",
    slices: {},
  });

  it("[MAP-11][SEARCH-59] narrows the search to the item and names the columns it needs", () => {
    const paging = { offset: 0, max: 10_000 };
    expect(pathDataOf(record, { group: "2005-12" }, { fields, columns: ["wind", "time"], minimumIntervalMs: 1_000, paging })).toEqual({
      paging,
      timeRange: { start: "1970-01-01T00:00:00.000Z", end: "1970-01-01T00:01:00.000Z" },
      filters: [{ name: "storm_id", operator: "=", value: "2005-12" }],
      columns: ["time", "latitude", "longitude", "wind"],
      minimumIntervalMs: 1_000,
    });
  });

  it("is not on offer for an item without a group", () => {
    expect([null, "", "a", 0, false].map((group) => hasPath({ group }))).toEqual([false, false, true, true, true]);
  });
});

describe("the points of a path", () => {
  const at = (time: number, latitude: number | null = 1) => ({ time, latitude, longitude: 2, wind: time });

  it("stand in the order of their times, without rows that have no place", () => {
    const points = pathPoints([at(5), at(3), at(4, null), at(9, 91)], fields, { columns: ["wind"] });
    expect([...points.timeMs]).toEqual([3_000, 5_000]);
    expect(points.values.get("wind")).toEqual([3, 5]);
    expect(points).toMatchObject({ count: 2, leftOut: 2, isCut: false });
  });

  it("[MAP-16] have a gap between them where it took longer than the threshold, not where it took as long", () => {
    const points = pathPoints([at(0), at(3_600), at(7_201), at(7_202)], fields, { columns: [] });
    expect([...gapsOf(points, 3_600_000)]).toEqual([0, 1, 0]);
    expect([...gapsOf(points, 1_000)]).toEqual([1, 1, 0]);
    expect([...gapsOf(pathPoints([], fields, { columns: [] }), 1)]).toEqual([]);
  });
});
