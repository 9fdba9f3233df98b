import { expect, it } from "vitest";
import { JsonDocument } from "./json-document.ts";

it.each([
  ['[{"a":1},\n{"', "x"],
  ['[{"a":1},\n{"a":"', "x"],
  ['[{"a":1},\n{"a":[', "1,"],
])("a value that goes on for ever is refused instead of held in memory: %j", (start, piece) => {
  const document = new JsonDocument("");
  const chunk = piece.repeat(10_000_000 / piece.length);
  let found = 0;
  const read = () => {
    found += [...document.push(start)].length;
    for (let at = 0; at < 6; at += 1) found += [...document.push(chunk)].length;
  };
  expect(read).toThrow("The data cannot be read as JSON: the value that begins on line 2 has more than 50 million characters.");
  expect(found).toBe(1);
});
