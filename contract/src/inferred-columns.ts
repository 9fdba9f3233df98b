import type { Column, ColumnType } from "./columns.ts";
import type { CellValue, ResultRow } from "./search.ts";

const maxSampledRows = 100;

/** The columns of the rows, in order of appearance. */
export function inferColumns(rows: readonly ResultRow[]): Column[] {
  const types = new Map<string, ColumnType | undefined>();
  for (const row of rows.slice(0, maxSampledRows)) {
    for (const [name, value] of Object.entries(row)) types.set(name, mergeTypes(types.get(name), typeOf(value)));
  }
  return Array.from(types, ([name, type = "STRING"]) => ({ name, type, description: "", combined: null }));
}

function typeOf(value: CellValue): ColumnType | undefined {
  if (value === null) return undefined;
  if (typeof value === "boolean") return "BOOLEAN";
  if (typeof value === "string") return "STRING";
  return Number.isInteger(value) ? "integer" : "decimal";
}

function mergeTypes(a: ColumnType | undefined, b: ColumnType | undefined): ColumnType | undefined {
  if (a === undefined || b === undefined || a === b) return a ?? b;
  const both = new Set([a, b]);
  return both.has("integer") && both.has("decimal") ? "decimal" : "STRING";
}
