import { expect, it } from "vitest";
import { lineParts } from "./line-parts.ts";

const none = { tokens: [], changed: [], matches: [] };

it("cuts a line where tokens, changes and matches start and end", () => {
  expect(
    lineParts('"size": 12', { tokens: [{ from: 0, to: 6, token: "attr" }], changed: [[8, 10]], matches: [[4, 9]] }).map(
      ({ text, token, isChanged, match }) => [text, token, isChanged, match],
    ),
  ).toEqual([
    ['"siz', "attr", false, -1],
    ['e"', "attr", false, 4],
    [": ", null, false, 4],
    ["1", null, true, 4],
    ["2", null, true, -1],
  ]);
  expect(lineParts("", none)).toEqual([]);
});

it.each([
  ["a control character", "\u0000", "U+0000"],
  ["an escape", "\u001B", "U+001B"],
  ["a bidirectional override", "\u202E", "U+202E"],
  ["an isolate", "\u2066", "U+2066"],
  ["a zero width space", "\u200B", "U+200B"],
  ["a byte order mark", "\uFEFF", "U+FEFF"],
  ["a line separator", "\u2028", "U+2028"],
  ["a space that does not break", "\u00A0", "U+00A0"],
  ["a tag", "\u{E0041}", "U+E0041"],
  ["half a surrogate pair", "\uD800", "U+D800"],
  ["a filler", "\u3164", "U+3164"],
])("names %s", (_, character, code) => {
  expect(lineParts(`a${character}b`, none).map(({ codes }) => codes)).toEqual(["", code, ""]);
});

it("leaves spaces, tabs, accents, emoji and right-to-left text as they are", () => {
  expect(lineParts("a\tb  e\u0301 😀 عربي", none)).toEqual([expect.objectContaining({ codes: "" })]);
});

it("draws few parts of a line full of marks", () => {
  const text = "a\u0000".repeat(2_000);
  const every = Array.from({ length: 2_000 }, (_, index) => [index * 2, index * 2 + 1] as const);
  const parts = lineParts(text, { tokens: every.map(([from, to]) => ({ from, to, token: "string" })), changed: every, matches: every });
  expect(parts.length).toBeLessThan(1_000);
  expect(parts.map((part) => part.text).join("")).toBe(text);
  expect(lineParts("\u0000".repeat(2_000), none).map(({ codes }) => codes)).toEqual([
    `${Array.from({ length: 8 }, () => "U+0000").join(" ")} … 2000 characters`,
  ]);
});
