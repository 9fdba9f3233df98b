import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (path: string): string => readFileSync(new URL(`../web/src/${path}`, import.meta.url), "utf8");

it("charts use the colors of the design tokens, in order", () => {
  const tokens = [...read("ui/tokens.css").matchAll(/--c\d: (#[0-9a-f]{6});/g)].map((match) => match[1]);
  const palette = [...read("features/search/graphs/model/graph-colors.ts").matchAll(/color: "(#[0-9a-f]{6})"/g)].map((match) => match[1]);
  expect(palette).toHaveLength(8);
  expect(palette).toEqual(tokens);
});
