import { describe, expect, it } from "vitest";
import { speedMeaning, speedText, tickText, typedSpeed, windowUnitOf } from "./playback-text.ts";

describe("the words of playback", () => {
  it("say a speed and what it means", () => {
    expect([0.01, 1, 90, 600, 21_600, 100_000].map((speed) => [speedText(speed), speedMeaning(speed)])).toEqual([
      ["0.01×", "10 ms a second"],
      ["1×", "1 s a second"],
      ["90×", "1.5 min a second"],
      ["600×", "10 min a second"],
      ["21,600×", "6 h a second"],
      ["100,000×", "1.16 d a second"],
    ]);
  });

  it("read a typed speed within what there is", () => {
    expect(["0.01", " 1,000× ", "100000", ".5", "12 x"].map(typedSpeed)).toEqual([0.01, 1_000, 100_000, 0.5, 12]);
    expect(["", "0", "0.009", "100001", "fast", "1e3", "-1", "."].map(typedSpeed)).toEqual(Array.from({ length: 8 }, () => undefined));
  });

  it("name a length in the largest unit that fits", () => {
    expect([500, 59_000, 60_000, 7_200_000, 172_800_000].map((ms) => windowUnitOf(ms).name)).toEqual([
      "seconds",
      "seconds",
      "minutes",
      "hours",
      "days",
    ]);
  });

  it("write the axis as short as its width allows, in the zone of the results", () => {
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
