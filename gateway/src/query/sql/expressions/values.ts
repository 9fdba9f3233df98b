import { isNumeric, isTimestamp } from "@fairway/contract/columns";
import type { Expression } from "@fairway/expressions/tree";
import { sql } from "kysely";
import { unitMs } from "../instants.ts";
import { comparable, named } from "../operators.ts";
import type { SqlColumn, SqlDialect, Storage } from "../table.ts";
import type { Sql, ValueKind } from "./value-kinds.ts";

/** Undefined of `null`, which has the type of what it is used with. */
export function kindOf({ type, numberKind }: Pick<Expression, "type" | "numberKind">): ValueKind | undefined {
  return type === "number" ? (numberKind ?? "decimal") : (type ?? undefined);
}

const isBigint = (storage: Storage): boolean =>
  storage.kind === "integer" && !storage.narrow && storage.width === undefined && storage.digits === undefined;

/** A value of a column as it is shown. */
export function columnValue(column: SqlColumn, dialect: SqlDialect): Sql {
  const { type, storage } = column;
  const value = comparable(column, dialect);
  if (isTimestamp(type)) {
    if (storage.kind !== "instant") return dialect.epochMs(value, column);
    const shown = dialect.shownTime(named(column), column);
    return type === "TIMESTAMP_SECONDS" ? sql`(${shown} * ${sql.lit(unitMs(type))})` : shown;
  }
  if (!isNumeric(type)) return value;
  if (type === "decimal") return dialect.shownDouble(value, storage);
  if (storage.kind === "integer") return isBigint(storage) ? value : dialect.bigint(value);
  // Described as whole numbers: others have no value.
  return sql`case when ${value} = floor(${value}) then ${dialect.bigint(value)} end`;
}
