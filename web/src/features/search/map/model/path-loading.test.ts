import type { ResultRow } from "@fairway/contract/search";
import { describe, expect, it, vi } from "vitest";
import { buildColumn, buildDescription } from "#testing/dataset-builders.ts";
import { mapFieldsOf } from "./map-fields.ts";
import { findGaps, hasPath, pathDataOf, pathPoints } from "./path-model.ts";
import { type LargePaths, type LoadedPath, loadPaths, type PathLoad, type PathPlan } from "./path-loading.ts";
import { buildRecord } from "#testing/search-records.ts";

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

/** A path load of `total` rows that records its requests, percentages and outcomes. */
function pathOf(total: number, { counted = total, truncated = false } = {}) {
  const requests: unknown[] = [];
  const percents: number[] = [];
  const outcomes: (LoadedPath | { rows: readonly ResultRow[]; of: number } | "declined" | Error)[] = [];
  const run = new AbortController();
  const load: PathLoad = {
    calls: {
      count: () => Promise.resolve(counted),
      thinned: () => Promise.resolve(rows(2)),
      page: (paging?: { offset: number; max: number }) => {
        requests.push(paging);
        const all = rows(total);
        return Promise.resolve({ rows: paging ? all.slice(paging.offset, paging.offset + paging.max) : all, truncated });
      },
    },
    signal: run.signal,
    onPercent: (percent) => percents.push(percent),
    onLoaded: (path) => outcomes.push(path),
    onThinned: (found, positions) => outcomes.push({ rows: found, of: positions }),
    onDeclined: () => outcomes.push("declined"),
    onFailed: (error) => outcomes.push(error instanceof Error ? error : new Error(String(error))),
  };
  return { load, run, requests, percents, outcomes };
}

const never = () => Promise.reject(new Error("Unexpected confirmation."));
const rowsOf = (outcomes: readonly unknown[]) => outcomes.map((outcome) => (outcome as LoadedPath).rows.length);

describe("a path", () => {
  it("[MAP-11][MAP-13] loads page by page and reports percentages from 0", async () => {
    const { load, requests, percents, outcomes } = pathOf(17);
    await loadPaths([load], plan, never);
    expect(outcomes).toEqual([{ rows: rows(17), isCut: false }]);
    expect(requests).toEqual([
      { offset: 0, max: 10 },
      { offset: 10, max: 10 },
    ]);
    expect(percents).toEqual([0, 58, 100]);
  });

  it("[MAP-22][MAP-23] asks before exceeding the call limit: loads if confirmed, stays hidden if declined", async () => {
    const { load, requests, outcomes } = pathOf(21);
    const askAbout = vi.fn<() => Promise<LargePaths>>().mockResolvedValueOnce("leave").mockResolvedValueOnce("load");
    await loadPaths([load], plan, askAbout);
    expect([requests, outcomes]).toEqual([[], ["declined"]]);
    expect(askAbout).toHaveBeenCalledWith({ paths: 1, points: 21, calls: 3 });
    await loadPaths([load], plan, askAbout);
    expect(rowsOf(outcomes.slice(1))).toEqual([21]);
  });

  it("is thinned instead of loaded if that is chosen", async () => {
    const { load, requests, outcomes } = pathOf(21);
    await loadPaths([load], plan, () => Promise.resolve("thin"));
    expect([requests, outcomes]).toEqual([[], [{ rows: rows(2), of: 21 }]]);
  });

  it("[MAP-22] does not ask at exactly the call limit", async () => {
    const { load, outcomes } = pathOf(20);
    await loadPaths([load], plan, never);
    expect(rowsOf(outcomes)).toEqual([20]);
  });

  it("stops early if the data shrank after counting", async () => {
    const { load, requests, outcomes } = pathOf(4, { counted: 20 });
    await loadPaths([load], plan, never);
    expect(rowsOf(outcomes)).toEqual([4]);
    expect(requests).toHaveLength(1);
  });

  it("loads in one answer if the dataset does not page, and reports truncation", async () => {
    const { load, requests, outcomes } = pathOf(12, { truncated: true });
    await loadPaths([load], { ...plan, canPage: false }, never);
    expect(outcomes).toEqual([{ rows: rows(12), isCut: true }]);
    expect(requests).toEqual([undefined]);
  });

  it("neither loads nor reports if canceled while the question is open", async () => {
    const { load, run, requests, outcomes } = pathOf(100);
    await loadPaths([load], plan, () => {
      run.abort();
      return Promise.resolve("load");
    });
    expect([requests, outcomes]).toEqual([[], []]);
  });
});

describe("several paths", () => {
  it("[MAP-22] are counted first and confirmed once if they exceed the limit together", async () => {
    const paths = [pathOf(9), pathOf(9), pathOf(3)];
    const loads = paths.map(({ load }) => load);
    const askAbout = vi.fn<() => Promise<LargePaths>>().mockResolvedValueOnce("leave").mockResolvedValueOnce("load");
    await loadPaths(loads, plan, askAbout);
    expect(askAbout).toHaveBeenCalledExactlyOnceWith({ paths: 3, points: 21, calls: 3 });
    expect(paths.map(({ requests, outcomes }) => [requests, outcomes])).toEqual([
      [[], ["declined"]],
      [[], ["declined"]],
      [[], ["declined"]],
    ]);
    await loadPaths(loads, plan, askAbout);
    expect(paths.map(({ outcomes }) => rowsOf(outcomes.slice(1)))).toEqual([[9], [9], [3]]);
  });

  it("do not ask if their total is within the limit", async () => {
    const paths = [pathOf(8), pathOf(8), pathOf(4)];
    await loadPaths(
      paths.map(({ load }) => load),
      plan,
      never,
    );
    expect(paths.map(({ outcomes }) => rowsOf(outcomes))).toEqual([[8], [8], [4]]);
  });

  it("load without the ones that fail or are canceled, which do not count", async () => {
    const [good, failing, canceled] = [pathOf(5), pathOf(30), pathOf(30)];
    failing.load.calls.count = () => Promise.reject(new Error("Every engine slot is taken."));
    canceled.load.calls.count = () => {
      canceled.run.abort();
      return Promise.resolve(30);
    };
    await loadPaths([failing.load, canceled.load, good.load], plan, never);
    expect(failing.outcomes).toEqual([new Error("Every engine slot is taken.")]);
    expect(canceled.outcomes).toEqual([]);
    expect(rowsOf(good.outcomes)).toEqual([5]);
  });
});

describe("a path call", () => {
  const record = buildRecord({
    datasetDescription: description,
    filters: { geospatial: null, timeRange: { startMs: 0, endMs: 60_000, text: "" }, dynamic: [] },
    sort: [{ column: "time", direction: "asc" }],
    viewMode: "map",
  });

  it("[MAP-11][SEARCH-59] narrows the search to the item and requests only the needed columns", () => {
    const paging = { offset: 0, max: 10_000 };
    expect(pathDataOf(record, { group: "2005-12" }, { fields, columns: ["wind", "time"], minimumIntervalMs: 1_000, paging })).toEqual({
      paging,
      timeRange: { start: "1970-01-01T00:00:00.000Z", end: "1970-01-01T00:01:00.000Z" },
      filters: [{ name: "storm_id", operator: "=", value: "2005-12" }],
      columns: ["time", "latitude", "longitude", "wind"],
      minimumIntervalMs: 1_000,
    });
  });

  it("is unavailable for items without a group", () => {
    expect([null, "", "a", 0, false].map((group) => hasPath({ group }))).toEqual([false, false, true, true, true]);
  });
});

describe("the points of a path", () => {
  const at = (time: number, latitude: number | null = 1) => ({ time, latitude, longitude: 2, wind: time });

  it("are sorted by time and omit rows without coordinates", () => {
    const points = pathPoints([at(5), at(3), at(4, null), at(9, 91)], fields, { columns: ["wind"] });
    expect([...points.timeMs]).toEqual([3_000, 5_000]);
    expect(points.values.get("wind")).toEqual([3, 5]);
    expect(points).toMatchObject({ count: 2, skipped: 2, isCut: false });
  });

  it("[MAP-16] have a gap where the interval exceeds the threshold, not where it equals it", () => {
    const points = pathPoints([at(0), at(3_600), at(7_201), at(7_202)], fields, { columns: [] });
    expect([...findGaps(points, 3_600_000)]).toEqual([0, 1, 0]);
    expect([...findGaps(points, 1_000)]).toEqual([1, 1, 0]);
    expect([...findGaps(pathPoints([], fields, { columns: [] }), 1)]).toEqual([]);
  });
});
