import { type AccessList, datasetKey } from "@fairway/contract/datasets";
import { expect, it } from "vitest";
import { pickerCategories, pickerCounts, sameDataset } from "./picker-rows.ts";

const dataset = (datasetCategory: string, datasetId: string, description = "") => ({
  datasetCategory,
  datasetId,
  description,
  supportsMapResults: false,
});
const list: AccessList = [
  {
    id: "Aviation",
    description: "",
    datasets: [dataset("Aviation", "airports"), dataset("Aviation", "flights", "One row is one flight.")],
  },
  {
    id: "Tropical weather",
    description: "",
    datasets: [dataset("Tropical weather", "storm-tracks", "Positions of storms"), dataset("Tropical weather", "airports")],
  },
  { id: "Empty", description: "", datasets: [] },
];
const visibleRows = (text: string, onlyKeys: string[] | null = null) =>
  pickerCategories(list, { text, onlyKeys: onlyKeys && new Set(onlyKeys) }).flatMap(({ id, datasets }) =>
    datasets.map(({ datasetId }) => `${id}/${datasetId}`),
  );

it("[PICKER-01] keeps categories and datasets in the server's order", () => {
  expect(pickerCategories(list, { text: "", onlyKeys: null })).toStrictEqual([
    { id: "Aviation", datasets: list[0]?.datasets },
    { id: "Tropical weather", datasets: list[1]?.datasets },
  ]);
});

it.each([
  ["storm", ["Tropical weather/storm-tracks"]],
  ["STORM tropical", ["Tropical weather/storm-tracks"]],
  ["flight", ["Aviation/flights"]],
  ["aviation", ["Aviation/airports", "Aviation/flights"]],
  ["airports", ["Aviation/airports", "Tropical weather/airports"]],
  ["nothing like it", []],
])("finds %j", (text, matches) => {
  expect(visibleRows(text)).toStrictEqual(matches);
});

it("shows only favorites, by category and id", () => {
  expect(visibleRows("", [datasetKey({ datasetCategory: "Tropical weather", datasetId: "airports" })])).toStrictEqual([
    "Tropical weather/airports",
  ]);
  expect(sameDataset(dataset("a", "b"), dataset("a", "b"))).toBe(true);
  expect(sameDataset(dataset("a", "b"), dataset("b", "b"))).toBe(false);
  expect(sameDataset(null, null)).toBe(false);
});

it("counts all, shown and favorite datasets", () => {
  expect(pickerCounts(10, 10, 3)).toBe("10 datasets, 3 favorites");
  expect(pickerCounts(1, 1, 1)).toBe("1 dataset, 1 favorite");
  expect(pickerCounts(10, 10, 0)).toBe("10 datasets");
  expect(pickerCounts(2, 1_200, 3)).toBe("2 of 1,200 datasets");
});
