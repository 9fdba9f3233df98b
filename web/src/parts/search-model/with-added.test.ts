import { expect, it } from "vitest";
import { buildDescription } from "#testing/dataset-builders.ts";
import { describeWith } from "./describe-with.ts";
import { withAdded } from "./with-added.ts";

const storms = buildDescription();

it("added columns are those of the dataset with the type of their formula, and may use one another", () => {
  const strong = { name: "strong", expression: "wind > 64" };
  const word = { name: "word", expression: "if(strong, 'strong', 'weak')", unit: "-" };
  const described = withAdded(storms, [strong, word]);
  expect(described.schema.columns.slice(-2)).toMatchObject([
    { name: "strong", type: "BOOLEAN", computed: { expression: "wind > 64" } },
    { name: "word", type: "STRING", unit: "-" },
  ]);
});

it("a formula that does not fit makes no column", () => {
  const described = withAdded(storms, [{ name: "b", expression: "nothing + 1" }]);
  expect(described.schema.columns).toEqual(storms.schema.columns);
});

it("a search without them keeps the description of its dataset", async () => {
  expect(await describeWith(storms, [])).toBe(storms);
});
