import type { DatasetRef } from "@fairway/contract/datasets";

/** The address of a dataset's schema for other people, with one of its columns to show. */
export function schemaUrl({ datasetCategory, datasetId }: DatasetRef, column?: string): string {
  const path = ["data-catalog", datasetCategory, datasetId].map(encodeURIComponent).join("/");
  return `${location.origin}/${path}${column === undefined ? "" : `?at=${encodeURIComponent(column)}`}`;
}
