import type { CatalogMatch } from "@fairway/contract/catalog";
import "./css-locator.ts";

export const entry = (datasetId: string, more: object = {}) => ({
  dataset: { datasetCategory: "Tests", datasetId },
  description: `About ${datasetId}.`,
  communityDescription: "",
  containsLocationData: false,
  supportsMapResults: false,
  ...more,
});

export const match = (field: CatalogMatch["field"], text: string, marked: string, more: Partial<CatalogMatch> = {}): CatalogMatch => ({
  field,
  layer: "system",
  columnName: null,
  text,
  ranges: [{ start: text.indexOf(marked), end: text.indexOf(marked) + marked.length }],
  ...more,
});
