import { type Column, isDay, isTimestamp } from "@fairway/contract/columns";
import type { SqlColumn } from "#query/sql/table.ts";

/** How the values of a column of a sheet are written. Their texts are as `stored-rows.ts` keeps them. */
export interface SheetColumn {
  readonly header: string;
  /**
   * `double`: numbers as they are. `exact`: whole numbers and decimals, which are text if a sheet would round them. `time` and `day`:
   * numbers of milliseconds or seconds since 1970.
   */
  readonly kind: "text" | "double" | "exact" | "boolean" | "time" | "day";
  /** Milliseconds of one unit of a time. */
  readonly unitMs: number;
}

/** `stored`: how the source stores the column; undefined of combined ones, which are texts. */
export const sheetColumn = (column: Column, stored: SqlColumn | undefined): SheetColumn => ({
  header: headerOf(column),
  kind: stored === undefined ? "text" : kindOf(stored),
  unitMs: column.type === "TIMESTAMP_SECONDS" ? 1_000 : 1,
});

function headerOf({ name, label = name, unit }: Column): string {
  return unit === undefined || unit === "" ? label : `${label} (${unit})`;
}

function kindOf(column: SqlColumn): SheetColumn["kind"] {
  const { type, storage } = column;
  if (type === "STRING") return "text";
  if (isTimestamp(type)) return isDay(column) ? "day" : "time";
  switch (storage.kind) {
    case "boolean":
      return "boolean";
    case "floating":
      return "double";
    case "integer":
    case "exact-decimal":
      return "exact";
    case "instant":
    case "text":
    case "other":
      return type === "BOOLEAN" ? "boolean" : "text";
    default:
      return storage satisfies never;
  }
}
