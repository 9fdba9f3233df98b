import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { names, rowCount, rows, opened, search, idsOf, openRandomRows } from "#testing/random-rows.ts";

beforeAll(openRandomRows);

afterAll(() => opened.app.close());

describe("pages", () => {
  it("contain every row once, for any page size and sort order", async () => {
    const key = fc.record({ column: fc.constantFrom(...names), direction: fc.constantFrom("asc", "desc") });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(key, { maxLength: 2, selector: ({ column }) => column }),
        fc.integer({ min: 7, max: 60 }),
        async (sort, max) => {
          const found: number[] = [];
          for (let offset = 0; offset < rowCount; offset += max) {
            found.push(...idsOf((await search({ paging: { offset, max }, filters: [], sort })).body));
          }
          expect(found.toSorted((a, b) => a - b)).toEqual([...rows.keys()]);
        },
      ),
      { numRuns: 20 },
    );
  });
});
