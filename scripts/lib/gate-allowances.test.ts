import { expect, it } from "vitest";
import { journeysPart, overAllowance, testsPart } from "./gate-allowances.mjs";

it("names the parts of a run that took longer than they may, and what they may take", () => {
  const steps = [
    { name: "types and lint", seconds: 44.9 },
    { name: "dead code", seconds: 500 },
    { name: testsPart, seconds: 301.4 },
    { name: journeysPart, seconds: 96 },
  ];
  expect(overAllowance(steps).slice(2)).toEqual([
    "  unit, integration and screens may take 295 s on two cores, and took 301 s",
    "  browser journeys may take 90 s on two cores, and took 96 s",
  ]);
});

it("says nothing of a run whose parts took what they may", () => {
  expect(overAllowance([{ name: testsPart, seconds: 270 }])).toEqual([]);
});
