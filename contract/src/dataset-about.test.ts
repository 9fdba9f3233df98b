import { expect, it } from "vitest";
import { datasetAbout } from "./dataset-about.ts";

const isValid = (about: object): boolean => datasetAbout.safeParse(about).success;

it("every field about a dataset may be absent or null", () => {
  expect(datasetAbout.parse({})).toEqual({});
  expect(isValid({ owner: null, contact: null, origin: null, license: null, updateRhythm: null, tags: null })).toBe(true);
  expect(isValid({ origin: { text: "Gauges" }, license: { text: "CC BY 4.0", link: null }, tags: [] })).toBe(true);
});

it.each([
  ["harbor@example.org", true],
  ["https://example.org/help?topic=tides#now", true],
  ["http://example.org", false],
  ["javascript:alert(1)", false],
  ["https://user:word@example.org", false],
  ["https:example.org\\help", false],
  ["harbor@example.org?cc=all@example.org", false],
  ["harbor@example.org, all@example.org", false],
  ["harbor@example.org\nBcc: all@example.org", false],
  ["mailto:harbor@example.org", false],
  ["", false],
])("the contact %j is accepted: %s", (contact, isAccepted) => {
  expect(isValid({ contact })).toBe(isAccepted);
});

it("links are https addresses, tags are few, short and different", () => {
  for (const link of ["http://example.org", "javascript:alert(1)", "data:text/html,x", "/relative", "https://a@example.org"]) {
    expect([isValid({ license: { text: "x", link } }), isValid({ origin: { text: "x", link } })]).toEqual([false, false]);
  }
  expect(isValid({ tags: ["tides", "Tides"] })).toBe(false);
  expect(isValid({ tags: ["x".repeat(41)] })).toBe(false);
  expect(isValid({ tags: [""] })).toBe(false);
  expect(isValid({ tags: Array.from({ length: 11 }, (_, index) => `t${index}`) })).toBe(false);
  expect(isValid({ owner: "a\u202eb" })).toBe(false);
  expect(isValid({ updateRhythm: "sometimes" })).toBe(false);
});
