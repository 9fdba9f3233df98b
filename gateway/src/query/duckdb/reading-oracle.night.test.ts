import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { doors, meantTables, wrongCells } from "#testing/reading-tables.ts";
import { readingBench } from "./reading-bench.ts";

const { read } = readingBench();

describe("tables read from the files that were made of them", () => {
  it.each(Object.entries(doors))(
    "%s keep every value, count it as unreadable or say that it is assumed",
    { timeout: 600_000 },
    async (_, { format, write }) => {
      await fc.assert(
        fc.asyncProperty(meantTables, async (table) => {
          expect(wrongCells(table, await read(write(table), { format }))).toEqual([]);
        }),
        { numRuns: 60, endOnFailure: false },
      );
    },
  );
});
