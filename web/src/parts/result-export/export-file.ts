import type { Column } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import { safeFileName } from "@fairway/contract/file-names";
import { jsonParts } from "#lib/text/json-text.ts";
import { forEachYielding } from "#lib/pacing/yielding-loop.ts";
import { csvHeader, csvRecord } from "./csv.ts";

export type ExportFormat = "csv" | "json";

/** `category_datasetId` with the format as its extension. */
export const exportFileName = (categoryId: string, datasetId: string, format: ExportFormat): string =>
  safeFileName(`${categoryId}_${datasetId}.${format}`);

/** The loaded rows as a CSV file with the given columns in their order, and their names or labels in the first line. */
export async function csvFile(columns: readonly Column[], rows: readonly ResultRow[], hasLabels = false): Promise<Blob> {
  const parts = [csvHeader(columns, hasLabels)];
  await forEachYielding(rows.length, (index) => {
    const row = rows[index];
    if (row) parts.push(csvRecord(columns, row));
  });
  return new Blob(parts, { type: "text/csv;charset=utf-8" });
}

/** The loaded rows as a JSON file with every column, as the server sent them. */
export async function jsonFile(rows: readonly ResultRow[]): Promise<Blob> {
  return new Blob(await jsonParts(rows), { type: "application/json" });
}
