import * as fc from "fast-check";
import { expect, it } from "vitest";
import { flippedReadings, flippedTables } from "#testing/reading-flips.ts";
import { readingBench } from "./reading-bench.ts";

const { bench } = readingBench();

it("reads the same of shuffled rows, reordered columns and two files, whatever the columns hold", { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(flippedTables, async (table) => {
      const { first, ...others } = await flippedReadings(bench(), table);
      for (const [flip, reading] of Object.entries(others)) expect({ flip, ...reading }).toEqual({ flip, ...first });
    }),
    { numRuns: 120, endOnFailure: true },
  );
});
