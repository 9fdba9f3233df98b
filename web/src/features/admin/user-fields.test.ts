import { expect, it } from "vitest";
import { type UserFields, toUserDraft, userProblem, userProblems } from "./user-fields.ts";

const fields: UserFields = {
  username: "ab",
  email: "",
  firstName: "",
  lastName: "",
  groups: ["Editors"],
  roles: [],
  setPassword: false,
  password: "",
  requirePasswordChange: false,
};
const invalidFields = (change: Partial<UserFields>) => Object.keys(userProblems({ ...fields, ...change }, 4));

it("[USERS-04] [USERS-06] [USERS-07] [USERS-08] [USERS-09] validates the fields that are filled in", () => {
  expect(invalidFields({})).toEqual([]);
  expect(invalidFields({ username: "a " })).toEqual(["username"]);
  expect(invalidFields({ email: "ab" })).toEqual(["email"]);
  expect(invalidFields({ email: "abc" })).toEqual([]);
  expect(invalidFields({ firstName: " ", lastName: " " })).toEqual(["firstName", "lastName"]);
  expect(invalidFields({ firstName: "A", lastName: "B" })).toEqual([]);
  expect(invalidFields({ setPassword: true, password: "abc" })).toEqual(["password"]);
  expect(invalidFields({ setPassword: true, password: "abcd" })).toEqual([]);
  expect(userProblem(userProblems({ ...fields, username: "" }, 4))).toBe("A username needs at least 2 characters.");
});

it("sends groups by name, and a password only when it is to be set", () => {
  expect(toUserDraft({ ...fields, password: "typed" }, null)).toMatchObject({
    groups: [{ name: "Editors" }],
    password: { setPassword: false, value: "" },
  });
  expect(toUserDraft(fields, { version: 3, id: "u1" })).toMatchObject({ id: "u1" });
});
