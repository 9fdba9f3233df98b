import type { Column, ColumnType } from "@fairway/contract/columns";
import type { CellValue, ResultRow } from "@fairway/contract/search";

const rowsLookedAt = 100;

/** The dataset's columns; where it names none (some upstream services), the ones that the rows have. */
export function columnsOf(schemaColumns: readonly Column[], rows: readonly ResultRow[]): readonly Column[] {
  if (schemaColumns.length > 0) return schemaColumns;
  const types = new Map<string, ColumnType | undefined>();
  for (const row of rows.slice(0, rowsLookedAt)) {
    for (const [name, value] of Object.entries(row)) types.set(name, merged(types.get(name), typeOf(value)));
  }
  return Array.from(types, ([name, type = "STRING"]) => ({ name, type, description: "", combined: null }));
}

function typeOf(value: CellValue): ColumnType | undefined {
  if (value === null) return undefined;
  if (typeof value === "boolean") return "BOOLEAN";
  if (typeof value === "string") return "STRING";
  return Number.isInteger(value) ? "integer" : "decimal";
}

function merged(one: ColumnType | undefined, other: ColumnType | undefined): ColumnType | undefined {
  if (one === undefined || other === undefined || one === other) return one ?? other;
  const both = new Set([one, other]);
  return both.has("integer") && both.has("decimal") ? "decimal" : "STRING";
}
