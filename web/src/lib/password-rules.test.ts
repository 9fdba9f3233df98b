import { expect, it } from "vitest";
import { mayUpdatePassword, passwordProblem } from "./password-rules.ts";

it.each([
  ["", "", null, false],
  ["abc", "", null, false],
  ["", "abc", null, false],
  ["ab", "", "The password needs at least 3 characters.", false],
  ["ab", "ab", "The password needs at least 3 characters.", false],
  ["abc", "abd", "The two passwords differ.", false],
  ["abc", "ab", "The two passwords differ.", false],
  ["abc", "abc", null, true],
])("[LOGIN-11] new password %j, again %j: %j", (password, again, problem, may) => {
  expect(passwordProblem(password, again, 3)).toBe(problem);
  expect(mayUpdatePassword(password, again, 3)).toBe(may);
});
