import { entityDefinitions } from "@fairway/contract/administration";
import { expect, it } from "vitest";
import { z } from "zod";
import { problemsOf } from "./editor-problems.ts";
import { hintOf, namesAt, schemasAt, valuesAt } from "./editor-schema.ts";

const schema = z.toJSONSchema(entityDefinitions["datasets/internal"].schema, { io: "input", unrepresentable: "any" }) as Record<
  string,
  unknown
>;

it("lists the names at a path, required ones first", () => {
  const names = namesAt(schema, ["filterSupport"]);
  expect(names.map(({ name }) => name)).toContain("supportsTimeRange");
  expect(names[0]?.required).toBe(true);
  expect(namesAt(schema, ["schema", "columns", 3]).map(({ name }) => name)).toContain("type");
  expect(namesAt(schema, ["nothing", "here"])).toEqual([]);
});

it("lists the values at a path, through alternatives and lists", () => {
  expect(valuesAt(schema, ["filterSupport", "supportsTimeRange"])).toEqual([true, false]);
  expect(valuesAt(schema, ["features", 0])).toEqual(["SAMPLE", "PAGINATION", "COUNT"]);
  expect(valuesAt(schema, ["source", "format"])).toEqual(["parquet", "csv", "json", "xlsx"]);
  expect(hintOf(schema, schemasAt(schema, ["temporalField"]))).toBe("text or null");
  expect(valuesAt(schema, ["temporalField"])).toEqual([null]);
});

it("terminates for a schema that refers to itself", () => {
  const endless = { anyOf: [{ $ref: "#" }, { type: "string" }] };
  expect(schemasAt(endless, []).length).toBeGreaterThan(0);
});

it("finds what the gateway would refuse, and where", () => {
  const problems = problemsOf("torch-service", { name: "a", baseUrl: "ftp://x", enabled: true }, []);
  expect(problems).toEqual([{ path: ["baseUrl"], message: "is not an http or https address" }]);
  expect(problemsOf("torch-service", [], [])).toHaveLength(1);
  expect(problemsOf("notices", { faIcon: "bullhorn", title: "t", message: "m" }, ["id", "createdDateMs"])).toEqual([]);
});
