import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { array, assert, asyncProperty, constantFrom, integer, option, string } from "fast-check";
import { expect, it } from "vitest";
import { storeRows, storedRows } from "./stored-rows.ts";

async function* pieces(text: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}

async function* pagesOf(rows: readonly (readonly unknown[])[]) {
  yield rows;
}

async function readAll(text: string, length: number) {
  const rows: (readonly (string | null)[])[] = [];
  for await (const page of storedRows(pieces(text, length))) rows.push(...page);
  return rows;
}

const value = option(string({ unit: constantFrom('"', ",", "\n", "\r", "a", "😀", "") }));

it("reads rows as they were stored, wherever the text is split", async () => {
  const rowsOfWidth = (width: number) => array(array(value, { minLength: width, maxLength: width }), { maxLength: 5 });
  await assert(
    asyncProperty(integer({ min: 1, max: 3 }).chain(rowsOfWidth), integer({ min: 1, max: 7 }), async (rows, length) => {
      const file = path.join(tmpdir(), randomUUID());
      expect(await storeRows(pagesOf(rows), file, () => undefined)).toBe(rows.length);
      expect(await readAll(await readFile(file, "utf8"), length)).toEqual(rows);
    }),
    { numRuns: 50 },
  );
});

it("fails for rows that end within one", async () => {
  await expect(readAll('"a","b', 2)).rejects.toThrow("the stored rows end within a row");
});
