import { describe, expect, it } from "vitest";
import { speedText, tickText, parseSpeed, windowUnitOf } from "./playback-text.ts";

describe("playback texts", () => {
  it("say how much data time passes in a second", () => {
    expect([0.01, 1, 90, 600, 3_600, 21_600, 100_000, 422_000, 1_000_000_000].map((speed) => speedText(speed))).toEqual([
      "10 ms/s",
      "1 s/s",
      "1.5 min/s",
      "10 min/s",
      "1 hour/s",
      "6 hours/s",
      "1.2 days/s",
      "4.9 days/s",
      "32 years/s",
    ]);
    expect(speedText(100_000, 6)).toBe("1.15741 days/s");
  });

  it("parse typed speeds with a unit, or in seconds, within the limits", () => {
    expect(["10 ms/s", "90 s", "10 min/s", "6 HOURS / s", "1.5d", "2 days per second", "1 year/s"].map(parseSpeed)).toEqual([
      0.01, 90, 600, 21_600, 129_600, 172_800, 31_557_600,
    ]);
    expect(["0.01", " 1,000× ", "100000", ".5", "12 x"].map(parseSpeed)).toEqual([0.01, 1_000, 100_000, 0.5, 12]);
    const wrong = ["", "0", "0.009", "9 ms/s", "1000000001", "32 years/s", "fast", "1e3", "-1", ".", "2 weeks/s", "days"];
    expect(wrong.map(parseSpeed)).toEqual(wrong.map(() => undefined));
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
    expect([50 * 366 * 86_400_000, 10 * 86_400_000, 86_400_000, 60_000].map((spanMs) => tickText(noon, axisOf(spanMs), "UTC"))).toEqual([
      "2026",
      "08/13/2026",
      "08/13 12:00 PM",
      "12:00:30 PM",
    ]);
    expect(tickText(noon, axisOf(60_000), "America/New_York")).toBe("08:00:30 AM");
  });
});
