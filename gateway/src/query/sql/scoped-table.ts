import { type RawBuilder, sql } from "kysely";
import { columnsOfGrant } from "#query/conditions.ts";
import type { Coarsening, GrantedRows, Scope } from "#query/scope.ts";
import { narrowingSql } from "./compile.ts";
import { unitMs } from "./instants.ts";
import { comparable, named } from "./operators.ts";
import type { SqlColumn, SqlDialect, SqlTable } from "./table.ts";

type Sql = RawBuilder<unknown>;

/** A coarse column, and how its values are made. */
interface Coarse {
  readonly column: SqlColumn;
  readonly value: Sql;
}

/**
 * The part of a source's table that a query reads, as a subquery: what it leaves out cannot be named outside. The only place where a scope
 * meets a source. `only`: the columns that the work names. No expression here fails for any stored value, because a failure would tell of
 * rows that are left out.
 */
export function scopedTable(table: SqlTable, { part }: Scope, dialect: SqlDialect, only?: ReadonlySet<string>): SqlTable {
  if (part === null) return table;
  const hidden = new Set(part.hidden.map(({ name }) => name));
  const shown = [...table.columns.values()].filter(({ name }) => !hidden.has(name));
  const coarse = new Map(
    shown.flatMap((column): [string, Coarse][] => {
      const coarsening = part.coarse.get(column.name);
      return coarsening === undefined ? [] : [[column.name, coarseColumn(column, coarsening, dialect)]];
    }),
  );
  const columns = new Map(shown.map((column) => [column.name, coarse.get(column.name)?.column ?? column]));
  const rows = part.rules.map((grants) => grantedSql(table, grants, dialect));
  const where = rows.length === 0 ? sql`` : sql` where ${sql.join(rows, sql` and `)}`;
  const fields = shown
    .filter(({ name }) => only === undefined || only.has(name))
    .map((column) => sql`${coarse.get(column.name)?.value ?? named(column)} as ${sql.id(column.name)}`);
  const partOf = (from: Sql, passed: readonly Sql[]): Sql => {
    const selected = [...fields, ...passed];
    return sql`(select ${sql.join(selected.length === 0 ? [sql`1 as one`] : selected, sql`, `)} from ${from}${where}) as ${sql.id("fairway scope")}`;
  };
  const { numbered, storedOrder } = table;
  const isAsStored = (name: string) => columns.has(name) && !coarse.has(name);
  const from = partOf(table.from, []);
  return {
    from,
    columns,
    orderBy: table.orderBy.filter(({ column }) => columns.has(column)),
    storedOrder:
      storedOrder === null
        ? null
        : storedOrder.slice(
            0,
            leading(storedOrder, ({ column }) => isAsStored(column)),
          ),
    numbered: numbered.isFileOrder
      ? { ...numbered, from: partOf(numbered.from, numbered.position) }
      : { from, position: [...columns.values()].map((column) => comparable(column, dialect)), isFileOrder: false },
  };
}

/** How many of the first values pass. */
function leading<T>(values: readonly T[], passes: (value: T) => boolean): number {
  const end = values.findIndex((value) => !passes(value));
  return end < 0 ? values.length : end;
}

function grantedSql(table: SqlTable, grants: readonly GrantedRows[], dialect: SqlDialect): Sql {
  if (grants.length === 0) return sql`false`;
  return sql`(${sql.join(
    grants.map((grant) => narrowingSql(table, grant, dialect) ?? sql`true`),
    sql` or `,
  )})`;
}

function coarseColumn(column: SqlColumn, coarsening: Coarsening, dialect: SqlDialect): Coarse {
  const value = comparable(column, dialect);
  switch (coarsening.kind) {
    case "empty":
      return { column, value: sql`case when false then ${named(column)} end` };
    case "first":
      return { column: { ...column, storage: { kind: "text" } }, value: dialect.leading(value, coarsening.characters) };
    case "step":
      return stepped(column, value, coarsening.step, dialect);
    case "start":
      return started(column, value, coarsening.unit, dialect);
    default:
      return coarsening satisfies never;
  }
}

const least = sql.lit("-9223372036854775808");

/** An integer is the start of its step; a decimal is the middle, so that a position stands inside its cell. */
function stepped(column: SqlColumn, value: Sql, step: number, dialect: SqlDialect): Coarse {
  if (column.type === "integer") {
    const whole = dialect.bigint(value);
    const width = dialect.integer(BigInt(step));
    const start = sql`${whole} - ((${whole} % ${width}) + ${width}) % ${width}`;
    const fits = sql`${whole} >= cast(${least} as bigint) + ${width}`;
    return { column: { ...column, storage: { kind: "integer", narrow: false } }, value: sql`case when ${fits} then ${start} end` };
  }
  const steps = dialect.floor(sql`${dialect.asDouble(value)} / ${dialect.floating(step, false)}`);
  const middle = sql`(${dialect.asDouble(steps)} + ${dialect.floating(0.5, false)}) * ${dialect.floating(step, false)}`;
  return { column: { ...column, storage: { kind: "floating", single: false, finite: false } }, value: middle };
}

const fixedMs = { hour: 3_600_000, day: 86_400_000 } as const;

/** Times beyond the years 1 to 9999 have no start of a month or year, and no value then. */
function started(column: SqlColumn, value: Sql, unit: "hour" | "day" | "month" | "year", dialect: SqlDialect): Coarse {
  const ms =
    unit === "hour" || unit === "day"
      ? flooredMs(dialect.epochMs(value, column), fixedMs[unit], dialect)
      : dialect.unitStart(unit, value, column);
  if (column.storage.kind === "instant") {
    return { column: { ...column, storage: { kind: "instant", zoned: dialect.computedTimesAreZoned } }, value: dialect.timeOfMs(ms) };
  }
  const inUnit = dialect.floor(sql`${dialect.asDouble(ms)} / ${dialect.floating(Number(unitMs(column.type)), false)}`);
  return { column: { ...column, storage: { kind: "integer", narrow: false } }, value: inUnit };
}

const flooredMs = (ms: Sql, width: number, dialect: SqlDialect): Sql =>
  sql`${dialect.floor(sql`${dialect.asDouble(ms)} / ${dialect.floating(width, false)}`)} * ${dialect.integer(BigInt(width))}`;

/** The columns that decide which rows are shown. */
export const columnsOfRules = ({ part }: Scope): readonly string[] => (part?.rules ?? []).flat().flatMap(columnsOfGrant);
