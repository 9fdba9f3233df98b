import { describe, expect, it } from "vitest";
import { itemTimes, lastSeenMs, staleColors } from "./item-age.ts";
import type { MapItem } from "./map-items.ts";
import type { PathState } from "./path-sessions.ts";

const hour = 3_600_000;
const hours = { staleWarningHours: 24, staleErrorHours: 72 };
const itemAt = (id: string, timeMs: number | null): MapItem => ({
  id,
  name: id,
  mark: null,
  group: id,
  row: {},
  lat: 0,
  lng: 0,
  problem: null,
  timeMs,
});
const pathOf = (...times: number[]): PathState => ({
  phase: "visible",
  points: {
    count: times.length,
    lat: new Float64Array(times.length),
    lng: new Float64Array(times.length),
    timeMs: Float64Array.from(times),
    values: new Map(),
    skipped: 0,
    isCut: false,
  },
  warning: null,
});
const none = new Map<string, PathState>();

describe("last seen", () => {
  it("[MAP-28] colors items default below the warning hours, amber from there, and rose from the error hours or without a time", () => {
    const items = [0, 24 * hour - 1, 24 * hour, 72 * hour - 1, 72 * hour, null].map((age, index) =>
      itemAt(String(index), age === null ? null : -age),
    );
    expect([...staleColors(itemTimes(items), none, 0, hours)]).toEqual([0, 0, 1, 1, 2, 2]);
  });

  it("uses the path for moments before the last row if it is loaded", () => {
    const item = itemAt("ship", 100 * hour);
    const paths = new Map([["ship", pathOf(0, 10 * hour, 90 * hour, 100 * hour)]]);
    expect(lastSeenMs(item, paths.get("ship"), 40 * hour)).toBe(10 * hour);
    expect([40, 89, 95].map((at) => staleColors(itemTimes([item]), paths, at * hour, hours)[0])).toEqual([1, 2, 0]);
    expect([...staleColors(itemTimes([item]), none, 40 * hour, hours)]).toEqual([0]);
  });
});
