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
  ])("of '%s' include '%s'", async (stored, other) => {
    expect((await LookAlikes.of([stored])).find(other)).toBe(stored);
  });

  it("exclude pairs of ASCII names and names that differ by an accent", async () => {
    expect((await LookAlikes.of(["mary", "ill", "o0"])).find("rnary")).toBeUndefined();
    expect((await LookAlikes.of(["anne", "ivan"])).find("änne")).toBeUndefined();
    expect((await LookAlikes.of(["ivan"])).find("иван")).toBeUndefined();
  });
});
