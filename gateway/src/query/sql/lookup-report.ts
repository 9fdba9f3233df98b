import { type LookupReport, maxKeysShown, maxKeysTried } from "@fairway/contract/lookups";
import type { CellValue } from "@fairway/contract/search";
import { type RawBuilder, sql } from "kysely";
import type { KeyMatch, LookupStep, OtherTable, SearchQuery } from "#query/engine.ts";
import type { TextRow } from "./column-values-read.ts";
import { type Compiled, compileRaw, requireColumn, whereSql } from "./compile.ts";
import { agreed, keyPair, oneOf } from "./lookup-join.ts";
import { comparable } from "./operators.ts";
import type { SqlColumn, SqlDialect, SqlTable } from "./table.ts";
import { withViews } from "./view-source.ts";

type Sql = RawBuilder<unknown>;
type Narrowing = Pick<SearchQuery, "timeRange" | "area" | "conditions">;

/** A dataset that is looked up, with its table. */
export type Other = OtherTable & { readonly table: SqlTable };
export type OtherByKey = Other & Pick<LookupStep, "key">;

/** Rows of a search that proposals of keys look at. */
const rowsForProposals = 20_000;
/** Columns of the other dataset whose values are shown. */
const maxColumns = 100;

/** One row for each pair: its place, the number of values tried, and how many of them are found. */
export function compileKeyMatches(
  table: SqlTable,
  other: Other,
  pairs: LookupStep["key"],
  query: Narrowing,
  dialect: SqlDialect,
): Compiled {
  const matches = pairs.map(({ column, on }, place) => {
    const { ours, theirs } = keyPair(requireColumn(table, column), requireColumn(other.table, on), other.match, dialect);
    const rows = withViews(
      sql`(select ${ours} as k from ${table.from}${whereSql(table, query, dialect)} limit ${dialect.rowCount(rowsForProposals)})`,
    );
    const found = withViews(sql`(select distinct ${theirs} as k from ${other.table.from}${ownRows(other, dialect)})`);
    return sql`select ${sql.lit(String(place))} as place, cast(count(*) as varchar) as tried, cast(count(found.k) as varchar) as found
      from (select distinct k from ${rows} as sampled where k is not null limit ${dialect.rowCount(maxKeysTried)}) as tried
        left join ${found} as found on found.k = tried.k`;
  });
  return compileRaw(sql`select place, tried, found from (${sql.join(matches, sql` union all `)}) as pairs order by place`);
}

export const keyMatchesOf = (rows: readonly TextRow[]): KeyMatch[] =>
  rows.map(([, values, found]) => ({ values: Number(values), found: Number(found) }));

/** One row: keys, keys tried, and keys found; keys of the other dataset, those in several rows, and each part of the first of these. */
export function compileLookupFigures(table: SqlTable, other: OtherByKey, query: Narrowing, dialect: SqlDialect): Compiled {
  const { keys, ours, theirs } = sidesOf(table, other, query, dialect);
  const isSame = sql.join(
    keys.map(({ key }) => sql`${sql.id("tried", key)} = ${sql.id("theirs", key)}`),
    sql` and `,
  );
  const firsts = keys.map(
    ({ on, value }) =>
      sql`(select ${dialect.cellJson(sql.id(value), shownAs(on, dialect))} from repeated order by ${names(keys)} limit ${dialect.rowCount(1)})`,
  );
  const count = (from: Sql) => dialect.cellJson(sql`(select count(*) from ${from})`, "count");
  const once = dialect.materialized ?? sql``;
  return compileRaw(sql`with ours as${once} (${ours}),
    tried as${once} (select * from ours order by n desc, ${names(keys)} limit ${dialect.rowCount(maxKeysTried)}),
    theirs as${once} (${theirs}),
    repeated as (select * from theirs where n > 1)
    select ${sql.join(
      [
        count(sql`ours`),
        count(sql`tried`),
        count(sql`tried join theirs on ${isSame}`),
        count(sql`theirs`),
        count(sql`repeated`),
        ...firsts,
      ],
      sql`, `,
    )}`);
}

/** The most frequent keys: each part, whether there is a match, and the values that are found. */
export function compileFoundRows(table: SqlTable, other: OtherByKey, query: Narrowing, dialect: SqlDialect): Compiled {
  const { keys, ours } = sidesOf(table, other, query, dialect);
  const found = shownColumns(other).map((column, index) => {
    const { value, storage } = agreed(column, dialect);
    return { column, value, storage, name: `fairway found ${index}` };
  });
  const keyed = withViews(
    sql`(select ${sql.join(
      [
        ...keys.map(({ key, theirs }) => sql`${theirs} as ${sql.id(key)}`),
        ...found.map(({ name, value }) => sql`${value} as ${sql.id(name)}`),
      ],
      sql`, `,
    )} from ${other.table.from}${ownRows(other, dialect)})`,
  );
  const on = sql.join(
    keys.map(({ key }) => sql`${sql.id("picked", key)} = ${sql.id("keyed", key)}`),
    sql` and `,
  );
  const [first] = keys;
  const kept = [...keys.flatMap(({ key, value }) => [key, value]), "n"].map((name) => sql.id("picked", name));
  const rows = sql`(select ${sql.join(
    [
      ...kept,
      sql`count(${sql.id("keyed", first?.key ?? "")}) as matches`,
      ...found.map(({ name }) => sql`${oneOf(sql.id("keyed", name))} as ${sql.id(name)}`),
    ],
    sql`, `,
  )} from (select * from (${ours}) as ours order by n desc, ${names(keys)} limit ${dialect.rowCount(maxKeysShown)}) as picked
    left join ${keyed} as keyed on ${on} group by ${sql.join(kept, sql`, `)}) as rows_of_keys`;
  const cells = [
    ...keys.map(({ ours: column, value }) => dialect.cellJson(sql.id(value), shownAs(column, dialect))),
    dialect.cellJson(sql`matches`, "count"),
    ...found.map(({ name, column, storage }) => dialect.cellJson(sql.id(name), { ...column, storage })),
  ];
  return compileRaw(sql`select ${sql.join(cells, sql`, `)} from ${rows} order by n desc, ${names(keys)}`);
}

/** Converts the results of `compileLookupFigures` and `compileFoundRows`. */
export function lookupReportOf([figures = []]: readonly TextRow[], rows: readonly TextRow[], other: OtherByKey) {
  const [all = 0, values = 0, found = 0, keys = 0, repeated = 0] = figures.slice(0, 5).map(Number);
  const parts = other.key.length;
  const columns = shownColumns(other);
  return {
    values,
    found,
    complete: values === all,
    others: { keys, repeated, first: repeated === 0 ? null : figures.slice(5, 5 + parts).map(cellOf) },
    rows: rows.map((row): LookupReport["rows"][number] => ({
      key: row.slice(0, parts).map(cellOf),
      values: Number(row[parts]) === 0 ? null : valuesOf(columns, row.slice(parts + 1)),
    })),
  };
}

const valuesOf = (columns: readonly SqlColumn[], cells: TextRow): Record<string, CellValue> =>
  Object.fromEntries(columns.map(({ name }, index) => [name, cellOf(cells[index])]));

const cellOf = (text: string | null | undefined): CellValue =>
  text === null || text === undefined ? null : (JSON.parse(text) as CellValue);

const shownColumns = ({ dataset, table }: Other): readonly SqlColumn[] =>
  dataset.columns.slice(0, maxColumns).map(({ name }) => requireColumn(table, name));

const ownRows = ({ table, dataset: { ownConditions } }: Other, dialect: SqlDialect): Sql =>
  whereSql(table, { timeRange: null, area: null, conditions: ownConditions }, dialect);

const shownAs = (column: SqlColumn, dialect: SqlDialect): SqlColumn => ({ ...column, storage: agreed(column, dialect).storage });

const names = (keys: readonly { readonly key: string }[]): Sql =>
  sql.join(
    keys.map(({ key }) => sql.id(key)),
    sql`, `,
  );

/** Different keys of both sides, each with the number of its rows and a value that is shown for it. */
function sidesOf(table: SqlTable, other: OtherByKey, query: Narrowing, dialect: SqlDialect) {
  const keys = other.key.map(({ column, on }, index) => {
    const [ours, theirs] = [requireColumn(table, column), requireColumn(other.table, on)];
    const pair = keyPair(ours, theirs, other.match, dialect);
    return { ours, on: theirs, key: `fairway key ${index}`, value: `fairway value ${index}`, pair, theirs: pair.theirs };
  });
  const grouped = (side: Sql, sideOf: (key: (typeof keys)[number]) => { key: Sql; shown: SqlColumn }) => {
    const fields = keys.flatMap((key) => [
      sql`${sideOf(key).key} as ${sql.id(key.key)}`,
      sql`${comparable(sideOf(key).shown, dialect)} as ${sql.id(key.value)}`,
    ]);
    const hasKey = sql.join(
      keys.map(({ key }) => sql`${sql.id(key)} is not null`),
      sql` and `,
    );
    const values = keys.map(({ value }) => sql`min(${sql.id(value)}) as ${sql.id(value)}`);
    return withViews(sql`select ${names(keys)}, ${sql.join(values, sql`, `)}, count(*) as n
      from (select ${sql.join(fields, sql`, `)} from ${side}) as keyed where ${hasKey} group by ${names(keys)}`);
  };
  return {
    keys,
    ours: grouped(sql`${table.from}${whereSql(table, query, dialect)}`, ({ pair, ours }) => ({ key: pair.ours, shown: ours })),
    theirs: grouped(sql`${other.table.from}${ownRows(other, dialect)}`, ({ pair, on }) => ({ key: pair.theirs, shown: on })),
  };
}
