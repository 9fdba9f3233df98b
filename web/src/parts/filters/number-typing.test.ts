import { expect, it } from "vitest";
import { couldBeNumber } from "./number-typing.ts";

it.each(["", "-", "1", "-12", "9007199254740993"])("[SEARCH-33] %j may be typed where a number goes", (text) => {
  expect([couldBeNumber(text, true), couldBeNumber(text, false)]).toStrictEqual([true, true]);
});

it.each([".", "-.5", "1.", "1.25"])("%j may be typed unless the number is whole", (text) => {
  expect([couldBeNumber(text, true), couldBeNumber(text, false)]).toStrictEqual([false, true]);
});

it.each(["a", "1-", "1.2.", "1e", "1 ", "--1", "+1", "1,0"])("%j may not be typed", (text) => {
  expect([couldBeNumber(text, true), couldBeNumber(text, false)]).toStrictEqual([false, false]);
});
