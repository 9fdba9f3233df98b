import { expect, it } from "vitest";
import { coverageTicks } from "./coverage-ticks.ts";

const years = Array.from({ length: 46 }, (_, index) => String(1975 + index));
const months = Array.from({ length: 18 }, (_, index) => `Mar ${2000 + index}`);
const days = Array.from({ length: 30 }, (_, index) => `01/${String(index + 1).padStart(2, "0")}/2001`);

it.each([
  ["year", years],
  ["month", months],
  ["day", days],
  ["day", days.slice(0, 1)],
] as const)("labels %ss at any width without overlap or cut", (unit, labels) => {
  for (const widthPx of [120, 200, 300, 358, 480, 640, 904, 1_200]) {
    const ticks = coverageTicks(labels, unit, widthPx);
    const labelPx = (labels[0]?.length ?? 0) * 7;
    expect(ticks.length).toBeGreaterThan(0);
    for (const [index, { leftPx }] of ticks.entries()) {
      expect(leftPx).toBeGreaterThanOrEqual(0);
      expect(leftPx + labelPx).toBeLessThanOrEqual(ticks[index + 1]?.leftPx ?? widthPx);
    }
  }
});

it("labels round years, as many as fit", () => {
  expect(coverageTicks(years, "year", 900).map(({ label }) => label)).toEqual([
    "1975",
    "1980",
    "1985",
    "1990",
    "1995",
    "2000",
    "2005",
    "2010",
    "2015",
    "2020",
  ]);
  expect(coverageTicks(years, "year", 200).map(({ label }) => label)).toEqual(["1980", "1990", "2000", "2010"]);
});

it("labels nothing without bars or room", () => {
  expect(coverageTicks([], "year", 900)).toEqual([]);
  expect(coverageTicks(years, "year", 0)).toEqual([]);
});
