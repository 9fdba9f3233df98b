import { describe, expect, it } from "vitest";
import { ageEndMs, ageText, stalenessOf } from "./item-age.ts";

const hours = { staleWarningHours: 24, staleErrorHours: 72 };
const hourMs = 3_600_000;
const now = Date.UTC(2026, 10, 21, 12);

describe("item age", () => {
  it("[MAP-28] is fresh below the warning hours, amber from there, and rose from the error hours", () => {
    const at = (age: number) => stalenessOf(now - age, now, hours);
    expect([at(0), at(24 * hourMs - 1)]).toEqual(["fresh", "fresh"]);
    expect([at(24 * hourMs), at(72 * hourMs - 1)]).toEqual(["warning", "warning"]);
    expect([at(72 * hourMs), at(9_000 * hourMs)]).toEqual(["error", "error"]);
    expect(stalenessOf(null, now, hours)).toBe("error");
  });

  it("[MAP-29] uses the configured hours", () => {
    const configured = { staleWarningHours: 1, staleErrorHours: 2 };
    expect([0.5, 1, 2].map((age) => stalenessOf(now - age * hourMs, now, configured))).toEqual(["fresh", "warning", "error"]);
  });

  it("is measured against the end of the range, or against the newest row if there is no end or that is stale at the end", () => {
    const end = (rangeEndMs: number | null, newestMs: number | null) => ageEndMs({ rangeEndMs, newestMs, nowMs: now, ...hours });
    expect(end(5_000, now - hourMs)).toBe(5_000);
    expect(end(null, now - hourMs)).toBe(now - hourMs);
    expect(end(null, null)).toBe(now);
    const [season, last] = [now - 900 * hourMs, now - 900 * hourMs - 72 * hourMs];
    expect([end(season, last), end(season, last - 1), end(season, null)]).toEqual([season, last - 1, season]);
    expect(end(now + hourMs, now - 500 * hourMs)).toBe(now - 500 * hourMs);
  });

  it("is formatted in the largest fitting unit", () => {
    const text = (age: number) => ageText(now - age, now);
    expect([0, 59_999, 60_000, 59 * 60_000, hourMs, 71 * hourMs, 72 * hourMs, 800 * 24 * hourMs, -60_001].map(text)).toEqual([
      "now",
      "now",
      "1 min ago",
      "59 min ago",
      "1 h ago",
      "71 h ago",
      "3 d ago",
      "2 y ago",
      "not yet seen",
    ]);
    expect(ageText(null, now)).toBe("no time");
  });
});
