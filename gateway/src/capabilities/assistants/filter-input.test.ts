import type { DatasetDescription } from "@fairway/contract/datasets";
import { describe, expect, it } from "vitest";
import { buildColumn } from "#testing/dataset-app.ts";
import { anyOfInput, filtersInput, filtersOf } from "./filter-input.ts";

const description = (moreOperators: DatasetDescription["moreOperators"]) =>
  ({
    moreOperators,
    schema: { columns: [buildColumn("name", "STRING"), buildColumn("at", "TIMESTAMP_SECONDS")] },
  }) as unknown as DatasetDescription;
const isNamed = { column: "name", operator: "=" as const, value: "a" };

describe("filters of assistants", () => {
  it("become those of searches, with times as their columns hold them", () => {
    const filters = filtersInput.parse([
      { column: "at", operator: "not between", value: ["2024-01-01", "2024-01-01T00:00:00.500Z"] },
      { column: "at", operator: "not when", value: { part: "hourOfDay", zone: "Asia/Kolkata", in: [5] } },
    ]);
    expect(filtersOf({ filters, any_of: [[isNamed], filters] }, description(["any"]))).toEqual([
      { name: "at", operator: "not between", value: [1_704_067_200, "2024-01-01T00:00:00.500Z"] },
      { name: "at", operator: "not when", value: { part: "hourOfDay", zone: "Asia/Kolkata", in: [5] } },
      {
        name: "*",
        operator: "any",
        value: [[{ name: "name", operator: "=", value: "a" }], filtersOf({ filters }, description([]))],
      },
    ]);
  });

  it("have no alternatives where the dataset takes none", () => {
    expect(() => filtersOf({ filters: [], any_of: [[isNamed], [isNamed]] }, description(["in"]))).toThrow(
      "This dataset takes no alternatives: its service combines all filters.",
    );
  });

  it.each([
    ["between", ["a"]],
    ["between", ["a", null]],
    ["contains", ""],
    ["contains", 5],
    ["when", "Monday"],
    ["in", []],
    ["<", ["a"]],
    ["any", [[]]],
  ])("are refused for %s with %j", (operator, value) => {
    expect(filtersInput.safeParse([{ column: "name", operator, value }]).success).toBe(false);
    expect(anyOfInput.safeParse([[isNamed], [{ column: "name", operator, value }]]).success).toBe(false);
  });
});
