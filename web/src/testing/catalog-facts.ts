import type { DatasetFacts } from "@fairway/contract/dataset-facts";
import { page } from "vitest/browser";
import { entry } from "./catalogs.ts";

export const dayMs = 86_400_000;
export const facts = (datasetId: string, more: Partial<DatasetFacts> = {}): DatasetFacts => ({
  dataset: entry(datasetId).dataset,
  rowsFrom: "storage",
  columns: 0,
  rows: null,
  oldestMs: null,
  newestMs: null,
  updatedMs: null,
  dueMs: null,
  owner: null,
  contact: null,
  origin: null,
  license: null,
  updateRhythm: null,
  tags: [],
  searches: 0,
  ...more,
});
export const nowMs = Date.now();
export const known = [
  facts("storms", {
    columns: 17,
    rows: 11_840,
    oldestMs: Date.UTC(1975, 5, 27),
    newestMs: Date.UTC(2020, 10, 18),
    updatedMs: nowMs - 12 * dayMs - 60_000,
    updateRhythm: "monthly",
    dueMs: nowMs + 26 * dayMs,
    owner: "Storm Desk",
    contact: "storms@example.org",
    tags: ["storms", "weather"],
    searches: 1_204,
  }),
  facts("flights", {
    columns: 5,
    rows: 3_000_000,
    contact: "https://flights.example.org/help",
    updateRhythm: "daily",
    updatedMs: nowMs - 5 * dayMs - 60_000,
    dueMs: nowMs - 3 * dayMs - 60_000,
  }),
  facts("sun-times", { rowsFrom: "request", columns: 8 }),
];
export const card = (name: string) =>
  page
    .getByRole("list", { name: "Datasets" })
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name }) });
