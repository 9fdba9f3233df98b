import { expect, it } from "vitest";
import { parseRows, UnreadableResponse } from "./search-api.ts";

const parse = (results: unknown) => parseRows(JSON.stringify({ results })).rows;

it("[SEARCH-51] parses results that are an array", () => {
  expect(parse([{ a: 1 }, { a: 2 }])).toStrictEqual([{ a: 1 }, { a: 2 }]);
  expect(parse([])).toStrictEqual([]);
});

it("[SEARCH-52] parses results that are an object as one row", () => {
  expect(parse({ a: "x", b: null })).toStrictEqual([{ a: "x", b: null }]);
});

it("[SEARCH-53] parses results that are a JSON string of either", () => {
  expect(parse('[{"a":1},{"a":2}]')).toStrictEqual([{ a: 1 }, { a: 2 }]);
  expect(parse('{"a":true}')).toStrictEqual([{ a: true }]);
});

it.each([[null], [undefined], [7], [true], [""], ["soon"], ["null"], ["7"], ['"[]"'], [[1, 2]], [[null]], [[[]]]])(
  "[SEARCH-54] refuses results %j",
  (results) => {
    expect(() => parse(results)).toThrow(UnreadableResponse);
  },
);

it.each(["", "[]", "null", "<html>", '"results"'])("refuses the response %j", (text) => {
  expect(() => parseRows(text)).toThrow(UnreadableResponse);
});

it("keeps nested cells as JSON and a column named __proto__ as a column", () => {
  const [row] = parseRows('{"results":[{"tags":["a","b"],"__proto__":{"polluted":true}}]}').rows;
  expect(Object.entries(row ?? {})).toStrictEqual([
    ["tags", '["a","b"]'],
    ["__proto__", '{"polluted":true}'],
  ]);
  expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
});

it("reports a truncated response", () => {
  expect(parseRows('{"results":[],"truncated":true}').truncated).toBe(true);
  expect(parseRows('{"results":[]}').truncated).toBe(false);
});
