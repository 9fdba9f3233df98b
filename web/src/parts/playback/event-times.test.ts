import { describe, expect, it } from "vitest";
import { barsPath, eventTimes, histogram } from "./event-times.ts";

const times = (...values: number[]) => Float64Array.from(values);

describe("the events of the scrubber", () => {
  it("are all times in order, without what is none", () => {
    expect([...eventTimes([times(3, 1, Number.NaN), times(2, Infinity), times()])]).toEqual([1, 2, 3]);
  });

  it("are counted in equal parts, the first's beginning and the last's end included", () => {
    expect([...histogram(times(-1, 0, 9, 10, 10, 25, 39, 40, 41), { fromMs: 0, toMs: 40 }, 4)]).toEqual([2, 2, 1, 2]);
  });

  it("are all counted once, however many parts there are", () => {
    const many = eventTimes([Float64Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 3_600_000)]);
    expect(histogram(many, { fromMs: 0, toMs: 3_600_000 }, 180).reduce((sum, count) => sum + count, 0)).toBe(5_000);
  });

  it("are counted where the time has no length", () => {
    expect([...histogram(times(5, 5), { fromMs: 5, toMs: 5 }, 3)]).toEqual([0, 0, 2]);
  });

  it("stand as bars, the most as high as the drawing and the fewest still to be seen", () => {
    expect(barsPath(Uint32Array.of(1_000, 0, 1))).toBe("M0.1 1V0.000H0.9V1ZM2.1 1V0.920H2.9V1Z");
    expect(barsPath(Uint32Array.of(0, 0))).toBe("");
  });
});
