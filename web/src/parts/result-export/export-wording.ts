import { pluralize } from "@fairway/contract/counts";
import type { ExportState } from "@fairway/contract/exports";
import { sizeText } from "#lib/text/size-text.ts";

/** Describes the rows of an export before it starts. `totalRows` is null when unknown. */
export function coverageText(totalRows: number | null, maxRows: number): string {
  if (totalRows === null) return "Exports every row of the search, loaded or not, to a file.";
  if (totalRows <= maxRows) return `Writes all ${pluralize(totalRows, "row")} of the search, loaded or not, to a file.`;
  const limit = maxRows.toLocaleString("en-US");
  return `The search finds ${pluralize(totalRows, "row")}, and one export may contain ${limit}: the file will be cut off there. Narrow the search to get all rows.`;
}

/** Describes the progress of a running export. Rows are sorted before the first one is written. */
export function progressText({ rows, totalRows }: Pick<ExportState, "rows" | "totalRows">): string {
  if (rows === 0) return totalRows === null ? "Finding the rows …" : `Finding and sorting ${pluralize(totalRows, "row")} …`;
  return totalRows === null
    ? `${pluralize(rows, "row")} written`
    : `${Math.min(rows, totalRows).toLocaleString("en-US")} of ${pluralize(totalRows, "row")} written`;
}

/** 0 to 100; null when unknown. */
export function progressPercent({ rows, totalRows }: Pick<ExportState, "rows" | "totalRows">, maxRows: number): number | null {
  if (rows === 0 || totalRows === null || totalRows === 0) return null;
  return Math.min(100, (rows / Math.min(totalRows, maxRows)) * 100);
}

export function resultText({ rows, file }: Pick<ExportState, "rows" | "file">, keepMinutes: number): string {
  const time = keepMinutes === 60 ? "an hour" : `${keepMinutes} minutes`;
  return `${pluralize(rows, "row")}${file ? `, ${sizeText(file.bytes)}` : ""}. The server keeps the file for ${time}.`;
}

/** Describes what is missing from a cut file. */
export function cutText({ rows, totalRows }: Pick<ExportState, "rows" | "totalRows">): string {
  const matches = totalRows === null ? "more rows match" : `${totalRows.toLocaleString("en-US")} match`;
  return `This file is cut off: it has ${pluralize(rows, "row")}, the most that one export may contain, and ${matches}. Its name ends in -cut, and the manifest says so.`;
}
