import { expect, it } from "vitest";
import { type UserFields, userDraftOf, userProblem, userProblems } from "./user-fields.ts";

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
const wrong = (change: Partial<UserFields>) => Object.keys(userProblems({ ...fields, ...change }, 4));

it("[USERS-04] [USERS-06] [USERS-07] [USERS-08] [USERS-09] asks for what each field needs, where it is there at all", () => {
  expect(wrong({})).toEqual([]);
  expect(wrong({ username: "a " })).toEqual(["username"]);
  expect(wrong({ email: "ab" })).toEqual(["email"]);
  expect(wrong({ email: "abc" })).toEqual([]);
  expect(wrong({ firstName: " ", lastName: " " })).toEqual(["firstName", "lastName"]);
  expect(wrong({ firstName: "A", lastName: "B" })).toEqual([]);
  expect(wrong({ setPassword: true, password: "abc" })).toEqual(["password"]);
  expect(wrong({ setPassword: true, password: "abcd" })).toEqual([]);
  expect(userProblem(userProblems({ ...fields, username: "" }, 4))).toBe("A username needs at least 2 characters.");
});

it("sends no password that is not to be set, and groups by their names", () => {
  expect(userDraftOf({ ...fields, password: "typed" }, null)).toMatchObject({
    groups: [{ name: "Editors" }],
    password: { setPassword: false, value: "" },
  });
  expect(userDraftOf(fields, { version: 3, id: "u1" })).toMatchObject({ id: "u1" });
});
