import type { DatasetFacts } from "@fairway/contract/dataset-facts";

export const address = "/data-catalog/Tropical%20weather/storm-tracks";
export const dataset = { datasetCategory: "Tropical weather", datasetId: "storm-tracks" };

export const facts: DatasetFacts = {
  dataset,
  rowsFrom: "storage",
  columns: 17,
  rows: 11_840,
  oldestMs: Date.UTC(1975, 5, 27),
  newestMs: Date.UTC(2020, 10, 18),
  updatedMs: Date.now() - 12 * 86_400_000 - 60_000,
  dueMs: null,
  owner: "Storm Desk",
  contact: "storms@example.org",
  origin: { text: "HURDAT2", link: "https://www.nhc.noaa.gov/data/" },
  license: { text: "public domain", link: null },
  updateRhythm: "irregular",
  tags: ["storms"],
  searches: 3,
};
