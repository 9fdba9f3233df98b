import { expect, it } from "vitest";
import { isMinifiedJson, readableText } from "./readable-text.ts";

const long = "x".repeat(2_000);

it("formats minified JSON one value per line, without changing any value", () => {
  const text = `{"a":[1.0,{"b":[],"c":{ }}, 12345678901234567890],"a":"{,\\"[\\\\","${long}":null}`;
  expect(readableText(text).split("\n")).toEqual([
    "{",
    '  "a": [',
    "    1.0,",
    "    {",
    '      "b": [],',
    '      "c": {}',
    "    },",
    "    12345678901234567890",
    "  ],",
    '  "a": "{,\\"[\\\\",',
    `  "${long}": null`,
    "}",
  ]);
});

it("formats like JSON.stringify, also text that is partly formatted", () => {
  const value = { list: [1, [true, [null]], { deep: { text: 'a "quoted" \\ b\n' } }], empty: [{}, []], long };
  expect(readableText(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  expect(readableText(` \t${JSON.stringify(value).replaceAll(":", " :\r\n")} `)).toBe(JSON.stringify(value, null, 2));
});

it.each([
  ["letters of other scripts", "Zürich 東京 😀"],
  ["surrogates without counterpart", "\ud800 \udc00"],
  ["escaped quotes and brackets", '\\"{[,: \\\\'],
])("keeps %s exactly", (_, word) => {
  const value = JSON.stringify({ long, list: [0, 1] }).replace("0", `"${word}"`);
  expect(readableText(value)).toBe(`{\n  "long": "${long}",\n  "list": [\n    "${word}",\n    1\n  ]\n}`);
});

it("decides by the length of lines alone whether JSON is minified", () => {
  const lineOf = (length: number) => `"${"x".repeat(length - 2)}"`;
  expect(isMinifiedJson(`[\n${lineOf(1_999)},\n1]`)).toBe(false);
  expect(isMinifiedJson(`[\n${lineOf(2_000)},\n1]`)).toBe(true);
  expect(isMinifiedJson(`[\n1,\n${lineOf(2_000)}\n]`)).toBe(false);
  expect(isMinifiedJson(`[\n1,\n${lineOf(2_001)}\n]`)).toBe(true);
  expect(isMinifiedJson(`[1,\n${lineOf(2_000)}]`)).toBe(true);
  expect(isMinifiedJson(`[${'\n"short",'.repeat(1_000)}\n1]`)).toBe(false);
});

it.each([
  ["short lines", '{"a":1,"b":[2]}'],
  ["text that is no JSON", `<template>${long}</template>`],
  ["broken JSON", `{"a":"${long}"`],
  ["a long text as the only value", JSON.stringify(long)],
  ["nothing", ""],
])("leaves %s as it is", (_, text) => {
  expect(readableText(text)).toBe(text);
  expect(isMinifiedJson(text)).toBe(false);
});

it("formats deeply nested brackets without indenting each more than the last", () => {
  const text = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  expect(readableText(text).length).toBeLessThan(10_000_000);
});
