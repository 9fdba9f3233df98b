import { expect, it } from "vitest";
import { rowsOfAnswer, UnreadableAnswer } from "./search-api.ts";

const read = (results: unknown) => rowsOfAnswer(JSON.stringify({ results })).rows;

it("[SEARCH-51] reads results that are an array", () => {
  expect(read([{ a: 1 }, { a: 2 }])).toStrictEqual([{ a: 1 }, { a: 2 }]);
  expect(read([])).toStrictEqual([]);
});

it("[SEARCH-52] reads results that are an object as one row", () => {
  expect(read({ a: "x", b: null })).toStrictEqual([{ a: "x", b: null }]);
});

it("[SEARCH-53] reads results that are a JSON string of either", () => {
  expect(read('[{"a":1},{"a":2}]')).toStrictEqual([{ a: 1 }, { a: 2 }]);
  expect(read('{"a":true}')).toStrictEqual([{ a: true }]);
});

it.each([[null], [undefined], [7], [true], [""], ["soon"], ["null"], ["7"], ['"[]"'], [[1, 2]], [[null]], [[[]]]])(
  "[SEARCH-54] refuses results %j",
  (results) => {
    expect(() => read(results)).toThrow(UnreadableAnswer);
  },
);

it.each(["", "[]", "null", "<html>", '"results"'])("refuses the answer %j", (text) => {
  expect(() => rowsOfAnswer(text)).toThrow(UnreadableAnswer);
});

it("keeps nested cells as their JSON, and a column named __proto__ as a column", () => {
  const [row] = rowsOfAnswer('{"results":[{"tags":["a","b"],"__proto__":{"polluted":true}}]}').rows;
  expect(Object.entries(row ?? {})).toStrictEqual([
    ["tags", '["a","b"]'],
    ["__proto__", '{"polluted":true}'],
  ]);
  expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
});

it("says when the server cut the answer", () => {
  expect(rowsOfAnswer('{"results":[],"truncated":true}').truncated).toBe(true);
  expect(rowsOfAnswer('{"results":[]}').truncated).toBe(false);
});
