import type { Operator } from "@fairway/contract/columns";
import { type RawBuilder, sql } from "kysely";
import type { ComparisonCondition } from "#query/engine.ts";
import { type ExactBound, decimalText, exactBound, exactDigits } from "./exact-numbers.ts";
import { dayMs, instantBounds, unitMs } from "./instants.ts";
import type { SqlColumn, SqlDialect } from "./table.ts";

/** Each operator's SQL, and whether rows without a value match. */
export const operatorSql: Readonly<Record<Operator, { readonly sql: RawBuilder<unknown>; readonly matchesEmpty: boolean }>> = {
  "=": { sql: sql`=`, matchesEmpty: false },
  "<>": { sql: sql`<>`, matchesEmpty: true },
  "<": { sql: sql`<`, matchesEmpty: false },
  "<=": { sql: sql`<=`, matchesEmpty: false },
  ">": { sql: sql`>`, matchesEmpty: false },
  ">=": { sql: sql`>=`, matchesEmpty: false },
};

/** A column by its quoted name. Uses `sql.id`, because Kysely's references would split a name at its dots. */
export const named = (column: { readonly name: string }): RawBuilder<unknown> => sql`${sql.id(column.name)}`;

/** A column as it is compared and sorted: cast to text if the dataset describes it as text, null for values shown as empty. */
export function comparable(column: SqlColumn, dialect: SqlDialect): RawBuilder<unknown> {
  const { storage, type } = column;
  if (type === "STRING" && storage.kind !== "text") return dialect.asText(named(column), storage);
  return storage.kind === "floating" && !storage.finite
    ? sql`case when ${dialect.isFinite(named(column))} then ${named(column)} end`
    : named(column);
}

/** Whether a row has a finite time. */
export const hasInstant = (column: SqlColumn, dialect: SqlDialect): RawBuilder<unknown> =>
  column.storage.kind === "instant" ? dialect.isInstant(named(column)) : sql`${comparable(column, dialect)} is not null`;

/**
 * A figure that lies between the values of a column, such as their average, and how it is shown: of single precision with their digits,
 * because the others are of how 0.1 is stored.
 */
export function figureSql(figure: RawBuilder<unknown>, column: SqlColumn): { value: RawBuilder<unknown>; cell: "number" | SqlColumn } {
  const { type, storage } = column;
  if (type === "STRING" || storage.kind !== "floating" || !storage.single) return { value: figure, cell: "number" };
  return { value: sql`cast(${figure} as real)`, cell: { ...column, storage: { ...storage, finite: false } } };
}

/** The SQL of one comparison. Values are always parameters. */
export function comparisonSql(column: SqlColumn, condition: ComparisonCondition, dialect: SqlDialect): RawBuilder<boolean> {
  const { operator, value } = condition;
  if (value === null)
    return operator === "=" ? sql`${comparable(column, dialect)} is null` : sql`${comparable(column, dialect)} is not null`;
  if (column.type === "TIMESTAMP_SECONDS" || column.type === "TIMESTAMP_MILLS") {
    return instantSql(column, condition, BigInt(value), dialect);
  }
  const { storage } = column;
  if (storage.kind === "integer" || storage.kind === "exact-decimal") {
    const digits = exactDigits(storage, value, condition.digits);
    if (digits !== undefined) return exactSql(column, storage, exactBound(storage, operator, digits), dialect);
  }
  if (storage.kind !== "floating" || column.type === "STRING") {
    return compared(comparable(column, dialect), operator, typeof value === "bigint" ? dialect.integer(value) : sql`${value}`);
  }
  const right = dialect.floating(Number(value), storage.single);
  // Files may name the values that they hold by their bytes, in which -0 is not 0: DuckDB would skip its rows.
  if (operator === "=" && Number(value) === 0) return sql`(${named(column)} >= ${right} and ${named(column)} <= ${right})`;
  const plain = compared(named(column), operator, right);
  if (storage.finite) return plain;
  // NaN compares as greater than everything. Like the infinities it is shown as empty, so no range may include it.
  if (operator === ">" || operator === ">=") return sql`(${plain} and ${named(column)} <= ${dialect.floating(Number.MAX_VALUE, false)})`;
  if (operator === "<" || operator === "<=") return sql`(${plain} and ${named(column)} >= ${dialect.floating(-Number.MAX_VALUE, false)})`;
  return plain;
}

function exactSql(
  column: SqlColumn,
  storage: SqlColumn["storage"] & { kind: "integer" | "exact-decimal" },
  bound: ExactBound,
  dialect: SqlDialect,
): RawBuilder<boolean> {
  switch (bound) {
    case "nothing":
      return sql`false`;
    case "everything":
      return sql`true`;
    case "anyValue":
      return sql`${named(column)} is not null`;
    default: {
      const { operator, scaled } = bound;
      const right =
        storage.kind === "integer"
          ? dialect.integer(scaled, storage.width)
          : dialect.exactDecimal(decimalText(scaled, storage.scale), storage.digits, storage.scale);
      return compared(named(column), operator, right);
    }
  }
}

function compared(left: RawBuilder<unknown>, operator: Operator, right: RawBuilder<unknown>): RawBuilder<boolean> {
  const { sql: symbol, matchesEmpty } = operatorSql[operator];
  return matchesEmpty ? sql`(${left} ${symbol} ${right} or ${left} is null)` : sql`${left} ${symbol} ${right}`;
}

function instantSql(
  column: SqlColumn,
  { operator, day }: Pick<ComparisonCondition, "operator" | "day">,
  valueMs: bigint,
  dialect: SqlDialect,
): RawBuilder<boolean> {
  const unit = unitMs(column.type);
  const bounds = instantBounds(operator, valueMs, day === true ? dayMs : unit);
  if (bounds === "nothing") return sql`false`;
  if (bounds === "everything") return sql`true`;
  const left = named(column);
  // Times stored as plain numbers are already in the column's unit.
  const right = (ms: bigint) => (column.storage.kind === "instant" ? dialect.instant(ms, column.storage) : dialect.integer(ms / unit));
  if ("outside" in bounds) {
    return sql`(${left} < ${right(bounds.outside.from)} or ${left} >= ${right(bounds.outside.before)} or ${left} is null)`;
  }
  const { from, before } = bounds.within;
  const parts = [
    ...(from === undefined ? [] : [sql<boolean>`${left} >= ${right(from)}`]),
    ...(before === undefined ? [] : [sql<boolean>`${left} < ${right(before)}`]),
  ];
  return sql<boolean>`${sql.join(parts, sql` and `)}`;
}
