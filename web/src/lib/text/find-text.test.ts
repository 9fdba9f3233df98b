import { expect, it } from "vitest";
import { findPattern, splitMatches } from "./find-text.ts";

it.each(["a.b", "(", "[x]", "\\d", "1+1", "^$", "a|b", "{2}", "?", "*", "a-b", "/"])("matches %s literally", (query) => {
  expect(splitMatches(`<${query}>`, findPattern(query))).toEqual([
    { text: "<", isMatch: false },
    { text: query, isMatch: true },
    { text: ">", isMatch: false },
  ]);
});

it("splits a text into matching and other parts", () => {
  expect(splitMatches("banana", findPattern("AN"))).toEqual([
    { text: "b", isMatch: false },
    { text: "an", isMatch: true },
    { text: "an", isMatch: true },
    { text: "a", isMatch: false },
  ]);
  expect(splitMatches("İstanbul", findPattern("stan"))[1]).toEqual({ text: "stan", isMatch: true });
  expect(splitMatches("", findPattern("x"))).toEqual([{ text: "", isMatch: false }]);
  expect(splitMatches("plain", findPattern(""))).toEqual([{ text: "plain", isMatch: false }]);
});
