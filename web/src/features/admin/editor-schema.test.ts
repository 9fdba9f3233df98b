import { entityDefinitions } from "@fairway/contract/administration";
import { expect, it } from "vitest";
import { z } from "zod";
import { problemsOf } from "./editor-problems.ts";
import { hintOf, namesAt, schemasAt, valuesAt } from "./editor-schema.ts";

const schema = z.toJSONSchema(entityDefinitions["datasets/internal"].schema, { io: "input", unrepresentable: "any" }) as Record<
  string,
  unknown
>;

it("knows the names of a place, those that are needed first", () => {
  const names = namesAt(schema, ["filterSupport"]);
  expect(names.map(({ name }) => name)).toContain("supportsTimeRange");
  expect(names[0]?.required).toBe(true);
  expect(namesAt(schema, ["schema", "columns", 3]).map(({ name }) => name)).toContain("type");
  expect(namesAt(schema, ["nothing", "here"])).toEqual([]);
});

it("knows the values of a place, through choices and lists", () => {
  expect(valuesAt(schema, ["filterSupport", "supportsTimeRange"])).toEqual([true, false]);
  expect(valuesAt(schema, ["features", 0])).toEqual(["SAMPLE", "PAGINATION", "COUNT"]);
  expect(valuesAt(schema, ["source", "format"])).toEqual(["parquet", "csv", "json"]);
  expect(hintOf(schema, schemasAt(schema, ["temporalField"]))).toBe("text or null");
  expect(valuesAt(schema, ["temporalField"])).toEqual([null]);
});

it("ends in a schema that refers to itself", () => {
  const endless = { anyOf: [{ $ref: "#" }, { type: "string" }] };
  expect(schemasAt(endless, []).length).toBeGreaterThan(0);
});

it("says what the gateway would refuse, and where", () => {
  const found = problemsOf("torch-service", { name: "a", baseUrl: "ftp://x", enabled: true }, []);
  expect(found).toEqual([{ path: ["baseUrl"], message: "is not an http or https address" }]);
  expect(problemsOf("torch-service", [], [])).toHaveLength(1);
  expect(problemsOf("notices", { faIcon: "bullhorn", title: "t", message: "m" }, ["id", "createdDateMs"])).toEqual([]);
});
