import { describe, expect, it } from "vitest";
import { LookAlikes, usernameKey } from "./username.ts";

it.each([
  ["Ada", "ada"],
  ["  ada ", "ada"],
  ["ＡＤＡ", "ada"],
  ["ÄNNE", "a\u0308nne"],
])("treats '%s' and '%s' as the same username", (one, other) => {
  expect(usernameKey(one)).toBe(usernameKey(other));
});

it("distinguishes different usernames", () => {
  expect(usernameKey("ada")).not.toBe(usernameKey("ada1"));
  expect(usernameKey("anne")).not.toBe(usernameKey("änne"));
});

describe("look-alikes", () => {
  it.each([
    ["admin", "аdmin"],
    ["Bob", "Воb"],
    ["root", "rооt"],
    ["аdmin", "admin"],
    ["rnary", "rn\u0430ry"],
    ["paypal", "раураl"],
  ])("of '%s' include '%s'", (stored, other) => {
    expect(new LookAlikes([stored]).find(other)).toBe(stored);
  });

  it("exclude pairs of ASCII names and names that differ by an accent", () => {
    expect(new LookAlikes(["mary", "ill", "o0"]).find("rnary")).toBeUndefined();
    expect(new LookAlikes(["anne", "ivan"]).find("änne")).toBeUndefined();
    expect(new LookAlikes(["ivan"]).find("иван")).toBeUndefined();
  });
});
