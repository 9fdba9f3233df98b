import { type ColumnType, isNumeric, isTimestamp } from "@fairway/contract/columns";
import type { CellValue } from "@fairway/contract/search";
import { type RawBuilder, sql } from "kysely";
import { dayMs, unitMs } from "../instants.ts";
import { comparable, named } from "../operators.ts";
import type { SqlColumn, SqlDialect } from "../table.ts";
import { compareNumbers } from "./cell-text.ts";

/** A value as it is grouped, and how it is shown. Null for values that are shown as empty. */
export interface Key {
  readonly value: RawBuilder<unknown>;
  readonly shown: SqlColumn;
}

/** Values that are shown alike are one key, and `=` finds all rows of a key: times in the column's unit, -0 as 0. */
export function keyOf(column: SqlColumn, dialect: SqlDialect): Key {
  if (isTimestamp(column.type)) return timeKey(column, dialect);
  const value = comparable(column, dialect);
  if (column.storage.kind !== "floating" || column.type === "STRING") return { value, shown: column };
  return { value: sql`case when ${value} = 0 then abs(${value}) else ${value} end`, shown: column };
}

function timeKey(column: SqlColumn, dialect: SqlDialect): Key {
  const shown = wholeNumber(column);
  if (column.storage.kind === "integer") return { value: named(column), shown: column };
  const value = column.storage.kind === "instant" ? dialect.shownTime(named(column), column) : dialect.floor(comparable(column, dialect));
  if (column.day !== true || (column.storage.kind === "instant" && column.storage.days === true)) return { value, shown };
  const day = sql.lit(Number(dayMs / unitMs(column.type)));
  return { value: sql`(${value} - ((${value} % ${day}) + ${day}) % ${day})`, shown };
}

/** A computed whole number of the column's type. */
const wholeNumber = ({ name, type }: SqlColumn): SqlColumn => ({ name, type, storage: { kind: "integer", narrow: true } });

/** Orders keys as they are shown like the engines do: texts by code point, and numbers by all of their digits. */
export function compareKeys(type: ColumnType, one: CellValue, other: CellValue): number {
  if (isNumeric(type) || isTimestamp(type)) return compareNumbers(String(one), String(other));
  if (type === "BOOLEAN") return Number(one) - Number(other);
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}
