import { expect, it } from "vitest";
import { finder, partsOf } from "./find-text.ts";

it.each(["a.b", "(", "[x]", "\\d", "1+1", "^$", "a|b", "{2}", "?", "*", "a-b", "/"])("takes %s as it stands", (query) => {
  expect(partsOf(`<${query}>`, finder(query))).toEqual([
    { text: "<", isMatch: false },
    { text: query, isMatch: true },
    { text: ">", isMatch: false },
  ]);
});

it("parts a text into what matches and what does not", () => {
  expect(partsOf("banana", finder("AN"))).toEqual([
    { text: "b", isMatch: false },
    { text: "an", isMatch: true },
    { text: "an", isMatch: true },
    { text: "a", isMatch: false },
  ]);
  expect(partsOf("İstanbul", finder("stan"))[1]).toEqual({ text: "stan", isMatch: true });
  expect(partsOf("", finder("x"))).toEqual([{ text: "", isMatch: false }]);
  expect(partsOf("plain", finder(""))).toEqual([{ text: "plain", isMatch: false }]);
});
