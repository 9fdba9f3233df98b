import { expect, it } from "vitest";
import { sourceConditions } from "./derived-columns.ts";
import type { Condition } from "./engine.ts";
import { Scope } from "./scope.ts";

it("leaves it to the engine to compare coarse values, of which sources know nothing", () => {
  const size: Condition = { column: "size", type: "integer", operator: ">=", value: 9n };
  const box: Condition = { operator: "within", latitude: "lat", longitude: "lng", west: 0, south: 0, east: 1, north: 1 };
  const region: Condition = { column: "region", type: "STRING", operator: "=", value: "north" };
  const coarse = new Map([
    ["size", { kind: "step", step: 10 }],
    ["lng", { kind: "empty" }],
  ] as const);
  const conditions = [size, box, region];
  expect(sourceConditions({ scope: Scope.of("a part", { rules: [], hidden: [], coarse }) }, conditions)).toEqual([region]);
  expect(sourceConditions({ scope: Scope.whole }, conditions)).toBe(conditions);
});
