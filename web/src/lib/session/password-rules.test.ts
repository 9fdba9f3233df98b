import { expect, it } from "vitest";
import { canUpdatePassword, passwordHint, passwordProblem } from "./password-rules.ts";

it.each([
  ["", "", null, false],
  ["abc", "", null, false],
  ["", "abc", null, false],
  ["ab", "", "The password needs at least 3 characters.", false],
  ["ab", "ab", "The password needs at least 3 characters.", false],
  ["abc", "abd", "The two passwords differ.", false],
  ["abc", "ab", "The two passwords differ.", false],
  ["abc", "abc", null, true],
])("[LOGIN-11] new password %j, confirmation %j: %j", (password, confirmation, problem, canUpdate) => {
  expect(passwordProblem(password, confirmation, 3)).toBe(problem);
  expect(canUpdatePassword(password, confirmation, 3)).toBe(canUpdate);
});

it("the hint states the length and, under the asvs rules, what else is refused", () => {
  expect(passwordHint("specification", 3)).toBe("At least 3 characters. Both entries must match.");
  expect(passwordHint("asvs", 8)).toBe(
    "At least 8 characters, 15 or more recommended. Both entries must match. No common password, and not your username.",
  );
  expect(passwordHint("asvs", 15)).toBe("At least 15 characters. Both entries must match. No common password, and not your username.");
});
