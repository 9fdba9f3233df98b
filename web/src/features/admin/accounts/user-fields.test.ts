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

it("accepts a user without the fields that may be empty", () => {
  expect(invalidFields({})).toEqual([]);
});

it("[USERS-04] wants a username of at least 2 characters", () => {
  expect(invalidFields({ username: "a " })).toEqual(["username"]);
  expect(userProblem(userProblems({ ...fields, username: "" }, 4))).toBe("A username needs at least 2 characters.");
});

it("[USERS-06] wants an email of at least 3 characters if there is one", () => {
  expect(invalidFields({ email: "ab" })).toEqual(["email"]);
  expect(invalidFields({ email: "abc" })).toEqual([]);
});

it("[USERS-07] [USERS-08] wants names of at least 1 character if there are any", () => {
  expect(invalidFields({ firstName: " ", lastName: " " })).toEqual(["firstName", "lastName"]);
  expect(invalidFields({ firstName: "A", lastName: "B" })).toEqual([]);
});

it("[USERS-09] wants a password to be set of at least 4 characters", () => {
  expect(invalidFields({ setPassword: true, password: "abc" })).toEqual(["password"]);
  expect(invalidFields({ setPassword: true, password: "abcd" })).toEqual([]);
});

it("sends groups by name, and a password only when it is to be set", () => {
  expect(toUserDraft({ ...fields, password: "typed" }, null)).toMatchObject({
    groups: [{ name: "Editors" }],
    password: { setPassword: false, value: "" },
  });
  expect(toUserDraft(fields, { version: 3, id: "u1" })).toMatchObject({ id: "u1" });
});
