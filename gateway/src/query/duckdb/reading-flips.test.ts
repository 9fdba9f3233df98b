import * as fc from "fast-check";
import { expect, it } from "vitest";
import { flippedReadings, flippedTables } from "#testing/reading-flips.ts";
import { readingBench } from "./reading-bench.ts";

const { bench } = readingBench();

it("reads the same of shuffled rows, reordered columns and two files", async () => {
  for (const table of fc.sample(flippedTables, { numRuns: 3, seed: 20_240 })) {
    const { first, ...others } = await flippedReadings(bench(), table);
    for (const [flip, reading] of Object.entries(others)) expect({ flip, ...reading }).toEqual({ flip, ...first });
  }
});
