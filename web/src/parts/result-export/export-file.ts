import type { Column } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import { safeFileName } from "#lib/download.ts";
import { inSlices } from "#lib/slices.ts";
import { csvHeader, csvRecord } from "./csv.ts";

export type ExportFormat = "csv" | "json";

/** `category_datasetId` with the format as its extension. */
export const exportFileName = (categoryId: string, datasetId: string, format: ExportFormat): string =>
  safeFileName(`${categoryId}_${datasetId}.${format}`);

/** The loaded rows as a CSV file: the columns given, in their order. */
export async function csvFile(columns: readonly Column[], rows: readonly ResultRow[]): Promise<Blob> {
  const parts = [csvHeader(columns)];
  await inSlices(rows.length, (index) => {
    const row = rows[index];
    if (row) parts.push(csvRecord(columns, row));
  });
  return new Blob(parts, { type: "text/csv;charset=utf-8" });
}

/** The loaded rows as a JSON file: every column, values as the server sent them. */
export async function jsonFile(rows: readonly ResultRow[]): Promise<Blob> {
  return new Blob(await jsonParts(rows), { type: "application/json" });
}

/** The loaded rows as JSON text, one property a line. The same as `JSON.stringify(rows, null, 2)`, without holding up the page. */
export async function jsonText(rows: readonly unknown[]): Promise<string> {
  return (await jsonParts(rows)).join("");
}

async function jsonParts(rows: readonly unknown[]): Promise<string[]> {
  if (rows.length === 0) return ["[]"];
  const parts: string[] = [];
  await inSlices(rows.length, (index) => {
    const text = JSON.stringify(rows[index], null, 2) ?? "null";
    // Values hold no bare line break (JSON escapes them), so every break is one of the layout.
    parts.push(`${index === 0 ? "[" : ","}\n  ${text.replaceAll("\n", "\n  ")}`);
  });
  parts.push("\n]");
  return parts;
}
