import { expect, it } from "vitest";
import { rowsOf } from "./row-stream.ts";

const rows = [
  { a: 1, b: 'a "quoted" {brace} \\', c: null },
  { a: -2.5, b: "}{,][", c: true },
  { a: "9007199254740993", b: "🌊\n", c: false },
  {},
];

it("finds the rows wherever their text is cut", async () => {
  const text = rows.map((row) => JSON.stringify(row)).join(",\n");
  for (let size = 1; size <= text.length; size += 1) {
    const chunks = async function* () {
      for (let from = 0; from < text.length; from += size) yield text.slice(from, from + size);
    };
    const found: unknown[] = [];
    const texts: string[] = [];
    for await (const { text: own, row } of rowsOf(chunks())) {
      texts.push(own);
      found.push(row());
    }
    expect(found).toEqual(rows);
    expect(texts).toEqual(rows.map((row) => JSON.stringify(row)));
  }
});
