import { describe, expect, it } from "vitest";
import { speedMeaning, speedText, tickText, parseSpeed, windowUnitOf } from "./playback-text.ts";

describe("playback texts", () => {
  it("format a speed and its meaning", () => {
    expect([0.01, 1, 90, 600, 3_600, 21_600, 100_000].map((speed) => [speedText(speed), speedMeaning(speed)])).toEqual([
      ["0.01×", "10 ms per second"],
      ["1×", "1 s per second"],
      ["90×", "1.5 min per second"],
      ["600×", "10 min per second"],
      ["3,600×", "1 hour per second"],
      ["21,600×", "6 hours per second"],
      ["100,000×", "1.2 days per second"],
    ]);
  });

  it("parse typed speeds within the limits", () => {
    expect(["0.01", " 1,000× ", "100000", ".5", "12 x"].map(parseSpeed)).toEqual([0.01, 1_000, 100_000, 0.5, 12]);
    expect(["", "0", "0.009", "1000000001", "fast", "1e3", "-1", "."].map(parseSpeed)).toEqual(Array.from({ length: 8 }, () => undefined));
  });

  it("use the largest unit that fits a length", () => {
    expect([500, 59_000, 60_000, 7_200_000, 172_800_000].map((ms) => windowUnitOf(ms).name)).toEqual([
      "seconds",
      "seconds",
      "minutes",
      "hours",
      "days",
    ]);
  });

  it("format axis labels as short as the range allows, in the zone of the results", () => {
    const noon = Date.UTC(2026, 7, 13, 12, 0, 30);
    const axisOf = (spanMs: number) => ({ fromMs: noon, toMs: noon + spanMs });
    expect([10 * 86_400_000, 86_400_000, 60_000].map((spanMs) => tickText(noon, axisOf(spanMs), "UTC"))).toEqual([
      "08/13/2026",
      "08/13 12:00 PM",
      "12:00:30 PM",
    ]);
    expect(tickText(noon, axisOf(60_000), "America/New_York")).toBe("08:00:30 AM");
  });
});
