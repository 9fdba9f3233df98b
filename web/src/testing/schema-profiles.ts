import type { DatasetProfile, ProfiledColumn } from "@fairway/contract/dataset-profiles";
import type { DatasetSchema } from "@fairway/contract/datasets";
import { page } from "vitest/browser";

export const hour = 3_600_000;
export const year = (value: number) => Date.UTC(value, 0, 1);

export const schemaColumn = (name: string, type: number) => ({
  id: name,
  name,
  type,
  description: "",
  communityDescription: "",
  userDescription: "",
});
export const schema: DatasetSchema = {
  dataset: { datasetCategory: "Tropical weather", datasetId: "storm-tracks" },
  description: "",
  communityDescription: "",
  userDescription: "",
  containsLocationData: true,
  supportsMapResults: true,
  columns: [schemaColumn("storm_id", 0), schemaColumn("wind", 2), schemaColumn("at", 5), schemaColumn("note", 0), schemaColumn("place", 0)],
};
export const column = (name: string, type: ProfiledColumn["type"], more: Partial<ProfiledColumn>): ProfiledColumn => ({
  name,
  type,
  distinct: 1,
  isApproximate: false,
  empty: 0,
  min: null,
  max: null,
  top: [],
  histogram: [],
  ...more,
});
export const profile = (): DatasetProfile => ({
  measuredMs: Date.now() - 3 * hour - 1_000,
  rows: 11_840,
  oldestMs: year(1975),
  newestMs: year(2021) - 1,
  coverage: {
    unit: "year",
    buckets: [
      { startMs: year(1975), rows: 90 },
      { startMs: year(1977), rows: 1 },
      { startMs: year(2005), rows: 497 },
    ],
  },
  columns: [
    column("storm_id", "STRING", {
      distinct: 511,
      min: "1975-01",
      max: "2020-31",
      top: [
        { value: "2012-12", rows: 1_089 },
        { value: "<img src=x onerror=alert(1)>", rows: 81 },
        { value: "third", rows: 80 },
      ],
    }),
    column("wind", "integer", {
      distinct: 31,
      empty: 7,
      min: 10,
      max: 160,
      histogram: [
        { from: 10, to: 90, rows: 5_000 },
        { from: 90, to: 170, rows: 6_833 },
      ],
    }),
    column("at", "TIMESTAMP_MILLS", {
      distinct: 4_512,
      isApproximate: true,
      min: year(1975),
      max: year(2020),
      histogram: [
        { from: year(1975), to: year(1998), rows: 1 },
        { from: year(1998), to: year(2020), rows: 2 },
      ],
    }),
    column("note", "STRING", { distinct: 0, empty: 11_840 }),
  ],
});

export const row = (name: string) =>
  page
    .getByRole("table", { name: "Columns" })
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name: new RegExp(`^${name}`) }) });
export const profileCell = (name: string) => row(name).getByRole("cell").nth(3);
