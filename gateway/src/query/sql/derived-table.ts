import { type RawBuilder, sql } from "kysely";
import { columnsOfStep, inputsOfStep } from "#query/derived-columns.ts";
import type { DerivedStep, QueryableDataset } from "#query/engine.ts";
import { computedColumns } from "./expressions/computed-columns.ts";
import { type LookupJoin, lookupJoin } from "./lookup-join.ts";
import { named } from "./operators.ts";
import { type SqlColumn, type SqlDialect, type SqlTable, describedColumn } from "./table.ts";
import { viewSource } from "./view-source.ts";

type Sql = RawBuilder<unknown>;

/** Columns that are made at once, of a row that has what they need. */
interface Made {
  readonly names: readonly string[];
  readonly inputs: readonly string[];
  /** Each in the order of `names`. */
  readonly values: readonly Sql[];
  readonly join?: Sql;
}

/**
 * The same rows with derived columns. What a statement does not use is neither computed nor joined. `others`: the tables of the lookups,
 * in their order.
 */
export function withDerived(table: SqlTable, dataset: QueryableDataset, others: readonly SqlTable[], dialect: SqlDialect): SqlTable {
  const known = new Map(table.columns);
  const made: Made[] = [];
  let lookups = 0;
  for (const step of dataset.derived ?? []) {
    const { columns, parts } =
      step.kind === "computed" ? computedOf(step, known, made.length, dialect) : joined(step, known, others[lookups], lookups++, dialect);
    made.push(...parts);
    for (const column of columns) known.set(column.name, column);
  }
  const columns = new Map(
    dataset.columns.flatMap(({ name }): [string, SqlColumn][] => {
      const column = known.get(name);
      return column === undefined ? [] : [[name, column]];
    }),
  );
  const derived = new Set((dataset.derived ?? []).flatMap((step) => columnsOfStep(step).map(({ name }) => name)));
  const view = (from: Sql, stored: ReadonlySet<string>, passed: readonly Sql[]): Sql =>
    viewSource((used) => nested(from, neededOf(made, used, stored), stored, passed));
  const stored = new Set(table.columns.keys());
  const { numbered } = table;
  return {
    ...table,
    from: view(table.from, stored, []),
    columns,
    numbered: { ...numbered, from: view(numbered.from, stored, numbered.isFileOrder ? numbered.position : []) },
    derived: {
      has: (name) => derived.has(name),
      over: (rows, given) => view(rows, given, []),
    },
  };
}

function computedOf(step: DerivedStep & { kind: "computed" }, known: ReadonlyMap<string, SqlColumn>, count: number, dialect: SqlDialect) {
  const { column, parts } = computedColumns(step, known, `fairway value ${count}`, dialect);
  return { columns: [column], parts: parts.map(({ name, inputs, value }): Made => ({ names: [name], inputs, values: [value] })) };
}

function joined(
  step: DerivedStep & { kind: "lookup" },
  known: ReadonlyMap<string, SqlColumn>,
  other: SqlTable | undefined,
  index: number,
  dialect: SqlDialect,
): { columns: SqlColumn[]; parts: Made[] } {
  if (other === undefined) throw new Error("a lookup has no table");
  const join: LookupJoin = lookupJoin(step, known, other, `fairway lookup ${index}`, dialect);
  const columns = step.columns.map(({ column }, at) => describedColumn(column, join.storages[at] ?? { kind: "text" }));
  return {
    columns,
    parts: [{ names: columns.map(({ name }) => name), inputs: inputsOfStep(step), values: join.values, join: join.join }],
  };
}

interface Needed {
  readonly made: readonly { readonly part: Made; readonly level: number }[];
  /** Columns that exist before anything is made. */
  readonly stored: ReadonlySet<string>;
  /** The level on which each name was last needed. */
  readonly names: ReadonlySet<string>;
}

/** The parts that have to be made for these names, each on the level after those that it needs. */
function neededOf(all: readonly Made[], used: ReadonlySet<string>, stored: ReadonlySet<string>): Needed {
  const names = new Set<string>();
  for (const name of used) names.add(name);
  const wanted = new Set<Made>();
  for (const part of all.toReversed()) {
    if (!part.names.some((name) => names.has(name) && !stored.has(name))) continue;
    wanted.add(part);
    for (const name of part.inputs) names.add(name);
  }
  const levels = new Map<string, number>();
  const made = all.flatMap((part) => {
    if (!wanted.has(part)) return [];
    const level = 1 + Math.max(0, ...part.inputs.map((name) => levels.get(name) ?? 0));
    for (const name of part.names) levels.set(name, level);
    return [{ part, level }];
  });
  return { made, stored, names };
}

/** One SELECT for each level. `passed`: columns of `from` that the statement names without quotes. */
function nested(from: Sql, { made, stored, names }: Needed, isStored: ReadonlySet<string>, passed: readonly Sql[]): Sql {
  if (made.length === 0) return from;
  const kept = [...stored].filter((name) => names.has(name));
  const rows = sql.id("fairway rows");
  const available = [...kept.map((name) => named({ name })), ...passed];
  const depth = Math.max(...made.map(({ level }) => level));
  let source = from;
  let isNamed = false;
  for (let level = 1; level <= depth; level++) {
    const parts = made.filter((one) => one.level === level).map(({ part }) => part);
    const joins = parts.flatMap(({ join }) => (join === undefined ? [] : [join]));
    // So that columns of the source that the dataset does not have cannot be mistaken for those of a join.
    if (joins.length > 0 && !isNamed)
      source = sql`(select ${sql.join(available.length === 0 ? [sql`1 as one`] : available, sql`, `)} from ${source}) as ${rows}`;
    const values = parts.flatMap((part) =>
      part.names.flatMap((name, index) => {
        const value = part.values[index];
        return value === undefined || !names.has(name) || isStored.has(name) ? [] : [{ name, value }];
      }),
    );
    const fields = [...available, ...values.map(({ name, value }) => sql`${value} as ${sql.id(name)}`)];
    source = sql`(select ${sql.join(fields, sql`, `)} from ${source}${sql.join(joins, sql``)}) as ${rows}`;
    isNamed = true;
    available.push(...values.map(({ name }) => named({ name })));
  }
  return source;
}
