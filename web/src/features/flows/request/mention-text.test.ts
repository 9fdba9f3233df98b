import { expect, it } from "vitest";
import { matchingMembers, mentionAt, mentionPattern, withMention } from "./mention-text.ts";

it.each([
  ["@", 1, { start: 0, query: "" }],
  ["Ask @gra", 8, { start: 4, query: "gra" }],
  ["Ask @grace today", 8, { start: 4, query: "gra" }],
  ["(@gra", 5, { start: 1, query: "gra" }],
  ["line\n@gra", 9, { start: 5, query: "gra" }],
  ["Ask @grace today", 12, null],
  ["Ask", 3, null],
  ["ada@fairway.example", 11, null],
  ["@@gra", 5, null],
  ["", 0, null],
])("in %j with the caret at %i", (text, caret, mention) => {
  expect(mentionAt(text, caret)).toEqual(mention);
});

const members = [
  { username: "admin", name: "Demo Admin" },
  { username: "developer", name: "Grace Hopper" },
  { username: "grace", name: "Grace Murray" },
  { username: "o.adams", name: "Olga Adams" },
];

it.each([
  ["", ["admin", "developer", "grace", "o.adams"]],
  ["gra", ["grace", "developer"]],
  ["ADA", ["o.adams"]],
  ["hop", ["developer"]],
  ["zz", []],
])("%j finds members by username or name, usernames first", (query, found) => {
  expect(matchingMembers(members, query).map(({ username }) => username)).toEqual(found);
});

it("at most eight members are shown", () => {
  expect(
    matchingMembers(
      Array.from({ length: 500 }, (_, index) => ({ username: `user${index}`, name: "" })),
      "user",
    ),
  ).toHaveLength(8);
});

it("a completed mention replaces what was typed of it and is followed by one space", () => {
  expect(withMention("Ask @gra today", { start: 4, query: "gra" }, "grace")).toEqual({ text: "Ask @grace today", caret: 11 });
  expect(withMention("@", { start: 0, query: "" }, "grace")).toEqual({ text: "@grace ", caret: 7 });
});

it("mentions are matched literally, the longest first, in any case", () => {
  expect("@o.adams, @oXadams and @Ada-2".match(mentionPattern(["ada", "o.adams", "ada-2"]) ?? /x/)).toEqual(["@o.adams", "@Ada-2"]);
  expect(mentionPattern([])).toBeNull();
});
