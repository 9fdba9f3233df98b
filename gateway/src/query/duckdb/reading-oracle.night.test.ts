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
          expect(wrongCells(table, await read(await write(table), { format }))).toEqual([]);
        }),
        { numRuns: 60, endOnFailure: false },
      );
    },
  );

  it("have the same columns as CSV, as JSON and as a workbook", { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(meantTables, async (table) => {
        const columns = [];
        for (const door of ["CSV with commas", "lines of JSON", "a workbook of texts"] as const) {
          const { format, write } = doors[door];
          const { reading } = await read(await write(table), { format });
          columns.push(
            reading.columns.map(({ name, type, format: written, day, unit, filled, empty, unreadable: { count: unreadable }, state }) => {
              return { name, type, written, day, unit, filled, empty, unreadable, state };
            }),
          );
        }
        expect(columns[1]).toEqual(columns[0]);
        expect(columns[2]).toEqual(columns[0]);
      }),
      { numRuns: 60, endOnFailure: false },
    );
  });
});
