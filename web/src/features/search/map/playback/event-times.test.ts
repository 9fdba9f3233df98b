import { describe, expect, it } from "vitest";
import { barsPath, histogram, sortedTimes, timeAfter, timeBefore, timesWithout } from "./event-times.ts";

const times = (...values: number[]) => Float64Array.from(values);

describe("scrubber events", () => {
  it("are sorted, without invalid times", () => {
    expect([...sortedTimes(times(3, 1, Number.NaN, 2, Infinity))]).toEqual([1, 2, 3]);
  });

  it("omit one entry for each excluded time", () => {
    expect([...timesWithout(times(1, 2, 2, 3, 5), times(0, 2, 4, 5))]).toEqual([1, 2, 3]);
  });

  it("are traversed in order across all lists", () => {
    const lists = [times(1, 5, 5, 9), times(), times(4, 6)];
    expect([0, 1, 4, 5, 6, 9].map((at) => timeAfter(lists, at))).toEqual([1, 4, 5, 6, 9, undefined]);
    expect([10, 9, 6, 5, 4, 1].map((at) => timeBefore(lists, at))).toEqual([9, 6, 5, 4, 1, undefined]);
  });

  it("are counted in equal bins, including both ends", () => {
    expect([...histogram([times(-1, 0, 10, 25, 40), times(9, 10, 39, 41)], { fromMs: 0, toMs: 40 }, 4)]).toEqual([2, 2, 1, 2]);
  });

  it("are all counted exactly once", () => {
    const many = [sortedTimes(Float64Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 3_600_000))];
    expect(histogram(many, { fromMs: 0, toMs: 3_600_000 }, 180).reduce((sum, count) => sum + count, 0)).toBe(5_000);
  });

  it("are counted in a window of zero length", () => {
    expect([...histogram([times(5, 5)], { fromMs: 5, toMs: 5 }, 3)]).toEqual([0, 0, 2]);
  });

  it("are drawn as bars, the highest at full height and the lowest still visible", () => {
    expect(barsPath(Uint32Array.of(1_000, 0, 1))).toBe("M0.1 1V0.000H0.9V1ZM2.1 1V0.920H2.9V1Z");
    expect(barsPath(Uint32Array.of(0, 0))).toBe("");
  });
});
