import { isNumeric, isTimestamp } from "@fairway/contract/columns";
import { type RawBuilder, sql } from "kysely";
import type { LookupStep } from "#query/engine.ts";
import { requireColumn, whereSql } from "./compile.ts";
import { unitMs } from "./instants.ts";
import { comparable, named } from "./operators.ts";
import type { SqlColumn, SqlDialect, SqlTable, Storage } from "./table.ts";
import { withViews } from "./view-source.ts";

type Sql = RawBuilder<unknown>;

export interface LookupJoin {
  /** ` left join … on …` */
  readonly join: Sql;
  /** Of each column of the lookup. */
  readonly values: readonly Sql[];
  readonly storages: readonly Storage[];
}

/**
 * Joins one row for each key of the other table, so that there are never more rows, nor fewer. A column has a value where all rows of a
 * key have the same one.
 */
export function lookupJoin(
  { key, columns, match, dataset }: LookupStep,
  known: ReadonlyMap<string, SqlColumn>,
  other: SqlTable,
  alias: string,
  dialect: SqlDialect,
): LookupJoin {
  const pairs = key.map(({ column: name, on }) => {
    const column = known.get(name);
    if (column === undefined) throw new Error(`a lookup has no key column '${name}'`);
    return keyPair(column, requireColumn(other, on), match, dialect);
  });
  const keyNames = pairs.map((_, index) => `fairway key ${index}`);
  const found = columns.map(({ from }, index) => ({ ...agreed(requireColumn(other, from), dialect), name: `fairway found ${index}` }));
  const where = whereSql(other, { timeRange: null, area: null, conditions: dataset.ownConditions }, dialect);
  const keyed = sql`(select ${sql.join(
    [
      ...pairs.map(({ theirs }, index) => sql`${theirs} as ${sql.id(keyNames[index] ?? "")}`),
      ...found.map(({ value }, index) => sql`${value} as ${sql.id(`fairway value ${index}`)}`),
    ],
    sql`, `,
  )} from ${other.from}${where}) as keyed`;
  const isKey = sql.join(
    keyNames.map((name) => sql`${sql.id(name)} is not null`),
    sql` and `,
  );
  const grouped = withViews(
    sql`(select ${sql.join(
      [
        ...keyNames.map((name) => sql.id(name)),
        ...found.map(({ name }, index) => sql`${oneOf(sql.id(`fairway value ${index}`))} as ${sql.id(name)}`),
      ],
      sql`, `,
    )} from ${keyed} where ${isKey} group by ${sql.join(
      keyNames.map((name) => sql.id(name)),
      sql`, `,
    )})`,
  );
  const on = sql.join(
    pairs.map(({ ours }, index) => sql`${ours} = ${sql.id(alias, keyNames[index] ?? "")}`),
    sql` and `,
  );
  return {
    join: sql` left join ${grouped} as ${sql.id(alias)} on ${on}`,
    values: found.map(({ name }) => sql`${sql.id(alias, name)}`),
    storages: found.map(({ storage }) => storage),
  };
}

/** The value of all rows of a group, which rows without a value do not have. */
export const oneOf = (value: Sql): Sql =>
  sql`case when count(${value}) = count(*) and min(${value}) = max(${value}) then min(${value}) end`;

/** A column as its values are compared, and how they are stored then: without NaN, and as text if they are described as such. */
export function agreed(column: SqlColumn, dialect: SqlDialect): { readonly value: Sql; readonly storage: Storage } {
  const { type, storage } = column;
  const value = comparable(column, dialect);
  if (type === "STRING") return { value, storage: { kind: "text" } };
  return { value, storage: storage.kind === "floating" ? { ...storage, finite: true } : storage };
}

/** The two sides of a pair of a key, as values that are equal if they are shown as the same. */
export function keyPair(ours: SqlColumn, theirs: SqlColumn, match: LookupStep["match"], dialect: SqlDialect): { ours: Sql; theirs: Sql } {
  const key = keyOf([ours, theirs], match, dialect);
  return { ours: key(ours), theirs: key(theirs) };
}

/** Both sides as values that are equal if they are shown as the same text, number or time. */
function keyOf(columns: readonly SqlColumn[], match: LookupStep["match"], dialect: SqlDialect): (column: SqlColumn) => Sql {
  const text = (column: SqlColumn) => comparable(column, dialect);
  if (columns.every(({ type }) => isTimestamp(type))) {
    const toMs = (column: SqlColumn) => sql`(${dialect.shownTime(named(column), column)} * ${sql.lit(unitMs(column.type))})`;
    return (column) => (column.storage.kind === "instant" ? toMs(column) : dialect.epochMs(named(column), column));
  }
  if (columns.every(({ type }) => isNumeric(type))) return numberKey(columns, dialect);
  return match === "loose" ? (column) => dialect.looseText(text(column)) : text;
}

/** The most digits that decimals have. */
const maxDigits = 38;

function numberKey(columns: readonly SqlColumn[], dialect: SqlDialect): (column: SqlColumn) => Sql {
  const storages = columns.map(({ storage }) => storage);
  if (storages.every(isPlainInteger)) return (column) => dialect.bigint(named(column));
  const scales = storages.map((storage) => (storage.kind === "exact-decimal" ? storage.scale : storage.kind === "integer" ? 0 : undefined));
  if (scales.every((scale) => scale !== undefined)) {
    const scale = Math.max(...scales);
    return (column) => sql`try_cast(${named(column)} as decimal(${sql.lit(maxDigits)}, ${sql.lit(scale)}))`;
  }
  // Adding zero makes -0 a 0.
  return (column) => sql`(${dialect.shownDouble(comparable(column, dialect), column.storage)} + 0e0)`;
}

const isPlainInteger = (storage: Storage): boolean =>
  storage.kind === "integer" && storage.width === undefined && storage.digits === undefined;
