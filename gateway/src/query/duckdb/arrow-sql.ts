import { isTimestamp } from "@fairway/contract/columns";
import { type RawBuilder, sql } from "kysely";
import { isHuge } from "#query/sql/exact-numbers.ts";
import { comparable, named } from "#query/sql/operators.ts";
import type { SqlColumn } from "#query/sql/table.ts";
import { duckDbDialect, finite, isStoredDay } from "./dialect.ts";

/** Rows of these columns in the types that `arrow-columns.ts` reads: those that the source stores, where Arrow has them. */
export const arrowRowsSql = (columns: readonly SqlColumn[], rows: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`select ${sql.join(columns.map(arrowValue), sql`, `)} from (${rows}) as matching`;

/** Values that the product shows as empty (NaN, infinities) are empty. */
function arrowValue(column: SqlColumn): RawBuilder<unknown> {
  const { type, storage } = column;
  const value = comparable(column, duckDbDialect);
  if (type === "STRING") return value;
  const isTime = isTimestamp(type);
  switch (storage.kind) {
    case "integer":
      if (isTime) return sql`try_cast(${value} as bigint)`;
      // Arrow has no such type, and the largest of them have more digits than its decimals.
      if (isHuge(storage)) return sql`cast(${value} as varchar)`;
      if (storage.digits === undefined) return value;
      return storage.digits <= 18 ? sql`cast(${value} as bigint)` : sql`cast(${value} as decimal(38, 0))`;
    case "exact-decimal":
      // In 128 bits, whatever the number of digits.
      return isTime ? microseconds(value, type) : sql`cast(${value} as decimal(38, ${sql.lit(storage.scale)}))`;
    case "floating":
      return isTime ? microseconds(value, type) : value;
    case "instant":
      return isStoredDay(column) ? sql`cast(${finite(named(column))} as date)` : finite(named(column));
    case "text":
    case "other":
    case "boolean":
      return value;
    default:
      return storage satisfies never;
  }
}

const microseconds = (value: RawBuilder<unknown>, type: SqlColumn["type"]) =>
  sql`try_cast(round(cast(${value} as double) * ${sql.lit(type === "TIMESTAMP_SECONDS" ? 1_000_000 : 1_000)}) as bigint)`;
