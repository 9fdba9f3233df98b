import { expect, it } from "vitest";
import { calledNames, operatorNames } from "./tree.ts";

it("no name stands for two functions", () => {
  const names = [...operatorNames, ...calledNames];
  expect(new Set(names).size).toBe(names.length);
});
