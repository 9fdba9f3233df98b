import { expect, it } from "vitest";
import { usernameKey } from "./username.ts";

it.each([
  ["Ada", "ada"],
  ["  ada ", "ada"],
  ["ＡＤＡ", "ada"],
  ["ÄNNE", "a\u0308nne"],
])("takes '%s' and '%s' for one username", (one, other) => {
  expect(usernameKey(one)).toBe(usernameKey(other));
});

it("tells different usernames apart", () => {
  expect(usernameKey("ada")).not.toBe(usernameKey("ada1"));
  expect(usernameKey("anne")).not.toBe(usernameKey("änne"));
});
