import { describe, expect, it } from "vitest";
import {
  keyProblems,
  lineProblems,
  nameProblems,
  newKey,
  newName,
  normalName,
  plainLine,
  prose,
  requiredLine,
  requiredProse,
  singleLine,
  storableText,
  storedName,
} from "./text.ts";

const invisible = "must not contain invisible characters";
const directions = "must not contain marks that change the reading direction";
const controls = "must not contain control characters";

describe("names", () => {
  it.each([
    ["", "is blank"],
    ["  ", "is blank"],
    ["\u00a0\u2003", "is blank"],
    ["\u200b\u00ad", "is blank"],
    ["\u2800", "is blank"],
    ["a\u200bb", invisible],
    ["ad\u00admin", invisible],
    ["a\ufeffb", invisible],
    ["a\u2060b", invisible],
    ["a\u200db", invisible],
    ["a\u3164b", invisible],
    ["a\u{e0061}", invisible],
    ["admin\u202e", directions],
    ["a\u2066b", directions],
    ["a\u200fb", directions],
    ["a\u061cb", directions],
    ["a\r\nb", controls],
    ["a\u2028b", controls],
    ["a\0b", controls],
    ["a\ud800", controls],
  ])("must not be %j", (name, problem) => {
    expect(nameProblems(name)).toEqual([problem]);
    expect(newName(100).safeParse(name).success).toBe(false);
    expect(keyProblems(name)).toEqual([problem]);
  });

  it.each([
    "Ærø ☂ 🌀",
    "می\u200cخواهم",
    "क्\u200dष",
    "👩\u200d🚀",
    "❤\ufe0f",
    "1\ufe0f\u20e3",
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}",
    "مـ\u0600١",
  ])("may be %s", (name) => {
    expect(nameProblems(name)).toEqual([]);
  });

  it("are trimmed and normalized to NFC", () => {
    expect(newName(100).parse("\u00a0 cafe\u0301\u3000")).toBe("café");
    expect(nameProblems("cafe\u0301")).not.toEqual([]);
    expect(normalName(" a ")).toBe("a");
  });
});

describe("keys", () => {
  it("must not contain slashes, be dots alone or contain joiners", () => {
    for (const key of ["a/b", ".", ".."]) expect(keyProblems(key)).toEqual(["must not contain '/' or consist only of dots"]);
    expect(keyProblems("👩\u200d🚀")).toEqual([invisible]);
    expect(keyProblems("a b.c-ä")).toEqual([]);
    expect(newKey(3, 2).safeParse("a").success).toBe(false);
    expect(newKey(3, 2).safeParse("abcd").success).toBe(false);
    expect(newKey(3, 2).parse(" ab ")).toBe("ab");
  });
});

it("lines of text may be empty, but must not contain line breaks or hidden characters", () => {
  expect(plainLine(0, 320).parse("")).toBe("");
  expect(lineProblems("not an email\r\nBcc: x")).toEqual([controls]);
  expect(lineProblems("ada@example.org")).toEqual([]);
});

it.each([
  ["storableText", storableText],
  ["prose", prose(10)],
  ["requiredProse", requiredProse(10)],
  ["singleLine", singleLine(10)],
  ["requiredLine", requiredLine(10)],
  ["storedName", storedName],
])("%s accepts characters beyond the basic plane, but no null characters or lone surrogates", (_, schema) => {
  expect(schema.safeParse("a 🌀").success).toBe(true);
  for (const text of ["a\0", "a\ud800", "\udc00a"]) expect(schema.safeParse(text).success).toBe(false);
});

it("required texts must not be empty", () => {
  expect(requiredLine(10).safeParse("").success).toBe(false);
  expect(requiredProse(10).safeParse(" \n").success).toBe(false);
  expect(requiredProse(10).parse(" a\n")).toBe(" a\n");
});
