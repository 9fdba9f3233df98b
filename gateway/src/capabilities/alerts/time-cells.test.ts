import { describe, expect, it } from "vitest";
import { appeared, cellStarts, inCells, joinedStarts, type TimeCells } from "./time-cells.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const nowMs = Date.parse("2026-03-10T12:00:00Z");

const cellsOf = (times: readonly number[], starts: readonly (number | null)[]): TimeCells =>
  starts.map((fromMs, index) => {
    const next = starts[index + 1] ?? Infinity;
    return { fromMs, rows: times.filter((time) => time >= (fromMs ?? -Infinity) && time < next).length };
  });

/** The newest time that is not ahead of the clock. */
const markOf = (times: readonly number[], clockMs: number): number | null => {
  const past = times.filter((time) => time <= clockMs);
  return past.length === 0 ? null : Math.max(...past);
};

describe("the cells of a check", () => {
  it("begin a day before the newest row, and never before those of the previous check", () => {
    const markMs = nowMs - 2 * hourMs;
    expect(cellStarts(markMs, nowMs, dayMs, null)[0]).toBe(markMs - dayMs);
    expect(cellStarts(markMs, nowMs, dayMs, markMs - hourMs)[0]).toBe(markMs - hourMs);
    expect(cellStarts(null, nowMs, dayMs, null)[0]).toBeNull();
    for (const starts of [
      cellStarts(markMs, nowMs, dayMs, null),
      cellStarts(nowMs, nowMs, dayMs, nowMs - 5),
      cellStarts(null, nowMs, dayMs, null),
    ]) {
      expect(starts.length).toBeLessThanOrEqual(14);
      expect(starts).toEqual([...new Set(starts)].toSorted((a, b) => (a ?? -Infinity) - (b ?? -Infinity)));
    }
  });

  it("find every row that is added, once, whatever its time and however the clock goes on", () => {
    // A fixed generator, so that the same rows come in every run.
    let seed = 7;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    let clockMs = nowMs;
    const times = Array.from({ length: 20 }, () => nowMs - random() * dayMs);
    let starts = cellStarts(markOf(times, clockMs), clockMs, dayMs, null);
    let known = cellsOf(times, starts);
    for (let check = 0; check < 300; check += 1) {
      clockMs += random() * 3 * hourMs;
      const markMs = markOf(times, clockMs) ?? clockMs;
      const leastMs = known[0]?.fromMs ?? null;
      // Late by less than a day, on time, or ahead by up to ten days.
      const added = Array.from({ length: Math.floor(random() * 4) }, () => {
        const at =
          [markMs - random() * (dayMs - 4_000), clockMs - random(), clockMs + random() * 10 * dayMs][Math.floor(random() * 3)] ?? 0;
        return Math.max(Math.floor(at), leastMs ?? 0);
      });
      times.push(...added);
      const kept = cellStarts(markOf(times, clockMs), clockMs, dayMs, leastMs);
      starts = joinedStarts(
        known.map(({ fromMs }) => fromMs),
        kept,
      );
      const now = cellsOf(times, starts);
      expect([check, appeared(known, now)]).toEqual([check, added.length]);
      known = inCells(now, kept);
    }
  });

  it("are not misled by old rows that leave as others come", () => {
    const before = cellsOf([nowMs - 23 * hourMs, nowMs - hourMs], cellStarts(nowMs - hourMs, nowMs, dayMs, null));
    const now = cellsOf(
      [nowMs - hourMs, nowMs - 2 * hourMs, nowMs],
      before.map(({ fromMs }) => fromMs),
    );
    expect(appeared(before, now)).toBe(2);
  });
});
