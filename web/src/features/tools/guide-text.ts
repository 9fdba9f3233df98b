import type { DatasetRef } from "@fairway/contract/datasets";

/** A guide for this portal and this dataset. Its first heading is left out, because it repeats the name of the tool. */
export function fillGuide(guide: string, origin: string, dataset: DatasetRef | undefined): string {
  const values: Readonly<Record<string, string>> = {
    origin,
    dataset: dataset ? `${dataset.datasetCategory}/${dataset.datasetId}` : "CATEGORY/DATASET",
  };
  return guide.replace(/^\s*# .*\n/, "").replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
