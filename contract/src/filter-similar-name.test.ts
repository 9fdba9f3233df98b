import { expect, it } from "vitest";
import { similarName } from "./filter-similar-name.ts";

it.each([
  ["dealy", "delay"],
  ["DELAYS", "delay"],
  ["orgin", "origin"],
  ["port", "airport"],
  ["zz", undefined],
  ["distance", undefined],
  ["", undefined],
])("to '%s', the similar name is %s", (typed, name) => {
  expect(similarName(typed, ["delay", "origin", "airport"])).toBe(name);
});
