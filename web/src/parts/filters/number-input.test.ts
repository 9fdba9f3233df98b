import { expect, it } from "vitest";
import { canType } from "./filter-value.ts";

/** The field's text after typing each character in turn. */
const typed = (text: string) =>
  Array.from(text).reduce((before, character) => (canType(character, before) ? before + character : before), "");

it.each(["-12", "9007199254740993", "-.5", "1.25", "64.5", "4,5", "1e1", "1.E-7", "1/2", "+1", "1 000", "--1", "１２"])(
  "%j can be typed into a number field unchanged",
  (text) => {
    expect(typed(text)).toBe(text);
  },
);

it.each([
  ["a-1b.5", "-1.5"],
  ["abc", ""],
  ["e5", "5"],
  ["12kt", "12"],
])("[SEARCH-33] letters cannot be typed into a number field: %j becomes %j", (text, result) => {
  expect(typed(text)).toBe(result);
});
