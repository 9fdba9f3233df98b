import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import { expect, it } from "vitest";
import { buildOwnDataset } from "#testing/own-data.ts";
import { withOwnGroups } from "./own-groups.ts";

const listed = (datasetCategory: string, datasetId: string) => ({ datasetCategory, datasetId, description: "", supportsMapResults: false });
const list = [
  { id: "Weather", description: "", datasets: [listed("Weather", "storms")] },
  { id: "~ada", description: "", datasets: [listed("~ada", "rain-2024"), listed("~ada", "a")] },
  { id: "~bob", description: "", datasets: [listed("~bob", "snow")] },
];
const own = new Map(
  [
    buildOwnDataset({ title: "Rain" }),
    buildOwnDataset({ datasetId: "a" }),
    buildOwnDataset({ datasetCategory: "~bob", datasetId: "snow", can: "view", owner: { userId: "u-bob", username: "bob" } }),
  ].map((one) => [datasetKey(one), one]),
);

it("lists own datasets first by title, then shared ones, in place of their categories", () => {
  const groups = withOwnGroups(list, own).map(({ id, datasets }) => [id, datasets.map(({ title, datasetId }) => title ?? datasetId)]);
  expect(groups).toStrictEqual([
    ["Own data", ["a", "Rain"]],
    ["Shared with me", ["snow"]],
    ["Weather", ["storms"]],
  ]);
});

it("leaves a list without own datasets as it is", () => {
  const ordinary: readonly { id: string; description: string; datasets: DatasetRef[] }[] = list;
  expect(withOwnGroups(list, new Map())).toBe(ordinary);
});
