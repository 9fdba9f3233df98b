import { histogramSteps, maxValues } from "@fairway/contract/column-values";
import { type CoverageUnit, profileTextCharacters } from "@fairway/contract/dataset-profiles";
import { lastLongitude } from "@fairway/contract/positions";
import { type RawBuilder, sql } from "kysely";
import type { SearchQuery } from "#query/engine.ts";
import { type Compiled, compileRaw, requireColumn, whereSql } from "./compile.ts";
import { comparable } from "./operators.ts";
import { westward } from "./positions.ts";
import type { SqlColumn, SqlDialect, SqlTable } from "./table.ts";

type Narrowing = Pick<SearchQuery, "timeRange" | "area" | "conditions">;

/** Equal steps of a histogram, in the column's unit. */
export interface StepGrid {
  readonly low: number;
  readonly width: number;
}

/** Key by which one grouping of the second scan groups rows. */
export type ProfileKey =
  /** Every value, with a histogram of them if `grid` is given. For columns of few values. */
  | { readonly kind: "values"; readonly column: string; readonly grid: StepGrid | null }
  /** The most frequent of these texts. */
  | { readonly kind: "candidates"; readonly column: string; readonly texts: readonly string[] }
  | { readonly kind: "steps"; readonly column: string; readonly grid: StepGrid }
  | { readonly kind: "coverage"; readonly column: string; readonly unit: CoverageUnit };

/** Longer texts are not looked at as frequent values of a column that has too many values to group by. */
const maxCandidateBytes = 1_000;
const candidatesPerColumn = 30;

/** Whether its values are positions on a scale. */
export const isMeasured = ({ type }: Pick<SqlColumn, "type">): boolean => type !== "STRING" && type !== "BOOLEAN";

/**
 * One row of texts: the number of rows, then of each column how many have a value, roughly distinct values, longest text in bytes, min, max.
 * Distinct values are not counted of columns with a scale unless `measures`.
 */
export function compileFigures(
  table: SqlTable,
  names: readonly string[],
  query: Narrowing,
  dialect: SqlDialect,
  { measures }: { readonly measures: boolean },
): Compiled {
  const figures = names.flatMap((name) => {
    const column = requireColumn(table, name);
    const value = profiled(column, dialect);
    const bytes = column.type === "STRING" ? sql`max(${dialect.textBytes(value)})` : sql`0`;
    const distinct = measures || !isMeasured(column) ? dialect.approximateDistinct(value) : sql`0`;
    return [
      ...[sql`count(${value})`, distinct, bytes].map((figure) => dialect.asText(figure)),
      shownText(sql`min(${value})`, column, dialect),
      shownText(sql`max(${value})`, column, dialect),
    ];
  });
  return compileRaw(
    sql`select ${sql.join([dialect.asText(sql`count(*)`), ...figures], sql`, `)} from ${table.from}${whereSql(table, query, dialect)}`,
  );
}

/** One row: of each text column a JSON array of texts that are probably frequent. */
export function compileCandidates(table: SqlTable, names: readonly string[], query: Narrowing, dialect: SqlDialect): Compiled {
  const lists = names.map((name) => {
    const value = profiled(requireColumn(table, name), dialect);
    return dialect.frequentTexts(
      sql`case when ${dialect.textBytes(value)} <= ${sql.lit(maxCandidateBytes)} then ${value} end`,
      candidatesPerColumn,
    );
  });
  return compileRaw(sql`select ${sql.join(lists, sql`, `)} from ${table.from}${whereSql(table, query, dialect)}`);
}

/** A random part of the rows, for figures that need not be exact. */
interface RowSample {
  readonly rows: number;
}

/**
 * Rows of four texts: kind, index of the key, value, count. Kinds: `distinct` (without value) · `top`, values as in
 * `compileFigures` · `step`, index of the histogram step · `unit`, epoch milliseconds. All keys are grouped in one scan,
 * of a sample of the rows if one is given.
 */
export function compileGroups(
  table: SqlTable,
  keys: readonly ProfileKey[],
  query: Narrowing,
  dialect: SqlDialect,
  sample?: RowSample,
): Compiled {
  const id = (index: number) => sql.id(`k${index}`);
  const columns = keys.map(({ column }) => requireColumn(table, column));
  const columnAt = (index: number) => columns[index] ?? requireColumn(table, "");
  const expressions = keys.map((key, index) => sql`${keySql(key, columnAt(index), dialect)} as ${id(index)}`);
  const ofKey = (value: (key: ProfileKey, index: number) => RawBuilder<unknown> | null, otherwise: RawBuilder<unknown>) => {
    const cases = keys.flatMap((key, index) => {
      const one = value(key, index);
      return one === null ? [] : [sql`when ${sql.lit(index)} then ${one}`];
    });
    return cases.length === 0 ? otherwise : sql`case s ${sql.join(cases, sql` `)} end`;
  };
  const indexes = (test: (key: ProfileKey) => boolean) =>
    sql.join([sql`-1`, ...keys.flatMap((key, index) => (test(key) ? [sql.lit(index)] : []))], sql`, `);
  const set = sql.join(
    keys.map((_, index) => sql`when grouping(${id(index)}) = 0 then ${sql.lit(index)}`),
    sql` `,
  );
  const text = ofKey((key, index) => {
    const isValue = key.kind === "values" || key.kind === "candidates";
    return isValue ? fullText(id(index), columnAt(index), dialect) : dialect.asText(id(index));
  }, noText);
  const gridOf = (key: ProfileKey) => (key.kind === "values" ? key.grid : null);
  const magnitude = ofKey((key, index) => (gridOf(key) === null ? null : dialect.magnitude(id(index), columnAt(index))), sql`0`);
  const low = ofKey((key) => number(gridOf(key)?.low), sql`0`);
  const width = ofKey((key) => number(gridOf(key)?.width), sql`1`);
  const names = sql.join(
    keys.map((_, index) => id(index)),
    sql`, `,
  );
  const sets = sql.join(
    keys.map((_, index) => sql`(${id(index)})`),
    sql`, `,
  );
  const step = clampedStep(sql`(x - ${low}) / ${width}`);
  const parts: GroupParts = {
    step,
    hasTop: sql`s in (${indexes(({ kind }) => kind === "values" || kind === "candidates")})`,
    hasGrid: sql`s in (${indexes((key) => gridOf(key) !== null)})`,
    isStep: sql`s in (${indexes(({ kind }) => kind === "steps")})`,
    isUnit: sql`s in (${indexes(({ kind }) => kind === "coverage")})`,
  };
  const result = dialect.materialized === null ? groupsInOnePass(parts, dialect) : groupsInParts(parts, dialect);
  const everyRow = sql`select ${sql.join(expressions, sql`, `)} from ${table.from}${whereSql(table, query, dialect)}`;
  const keyed = sample === undefined ? everyRow : sql`select * from ${dialect.randomRows(sql`(${everyRow}) as every_row`, sample.rows)}`;
  return compileRaw(sql`with keyed as (${keyed}),
    grouped as (select case ${set} end as s, ${names}, count(*) as n from keyed group by grouping sets (${sets})),
    shown as (select s, ${text} as v, ${magnitude} as x, n from grouped),
    valued as${dialect.materialized ?? sql``} (select s, v, min(x) as x, sum(n) as n from shown where v is not null group by s, v)
    ${result}`);
}

/** Conditions on the index of a key, and the histogram step of a value. */
type GroupParts = Readonly<Record<"step" | "hasTop" | "hasGrid" | "isStep" | "isUnit", RawBuilder<unknown>>>;

const noText = sql`cast(null as varchar)`;

/** Reads the grouped values once for each kind of rows. */
function groupsInParts({ step, hasTop, hasGrid, isStep, isUnit }: GroupParts, dialect: SqlDialect): RawBuilder<unknown> {
  return sql`select 'distinct', ${dialect.asText(sql`s`)}, ${noText}, ${dialect.asText(sql`count(*)`)} from valued group by s
    union all select 'top', ${dialect.asText(sql`s`)}, ${cut(sql`v`, dialect)}, ${dialect.asText(sql`n`)} from
      (select s, v, n, row_number() over (partition by s order by n desc, v) as place from valued
        where ${hasTop}) as ranked where place <= ${sql.lit(maxValues.top)}
    union all select 'step', ${dialect.asText(sql`s`)}, ${dialect.asText(sql`step`)}, ${dialect.asText(sql`sum(n)`)} from
      (select s, ${step} as step, n from valued where ${hasGrid}) as stepped group by s, step
    union all select 'step', ${dialect.asText(sql`s`)}, v, ${dialect.asText(sql`n`)} from valued
      where ${isStep}
    union all select 'unit', ${dialect.asText(sql`s`)}, v, ${dialect.asText(sql`n`)} from valued
      where ${isUnit}`;
}

/** Turns each grouped value into a row of each kind, for engines that would compute the groups again for each use. */
function groupsInOnePass({ step, hasTop, hasGrid, isStep, isUnit }: GroupParts, dialect: SqlDialect): RawBuilder<unknown> {
  const kinds = sql`'distinct', case when place <= ${sql.lit(maxValues.top)} and ${hasTop} then 'top' end,
    case when ${hasGrid} or ${isStep} then 'step' when ${isUnit} then 'unit' end`;
  const values = sql`${noText}, ${cut(sql`v`, dialect)}, case when ${hasGrid} then ${dialect.asText(step)} else v end`;
  return sql`select kind, ${dialect.asText(sql`s`)}, shown_value, ${dialect.asText(sql`sum(number)`)} from
      (select s, v, x, n, row_number() over (partition by s order by n desc, v) as place from valued) as ranked
      cross join unnest(array[${kinds}], array[${values}], array[1, n, n]) as t(kind, shown_value, number)
    where kind is not null group by kind, s, shown_value, case when kind = 'top' then place end`;
}

/** One row: of each of these columns a JSON object, how many values lie in each step. */
export function compileSteps(
  table: SqlTable,
  columns: readonly { readonly name: string; readonly grid: StepGrid }[],
  query: Narrowing,
  dialect: SqlDialect,
  sample?: RowSample,
): Compiled {
  const steps = columns.map(({ name, grid }, index) => {
    const step = keySql({ kind: "steps", column: name, grid }, requireColumn(table, name), dialect);
    return sql`${step} as ${sql.id(`k${index}`)}`;
  });
  const everyRow = sql`(select ${sql.join(steps)} from ${table.from}${whereSql(table, query, dialect)}) as every_row`;
  const from = sample === undefined ? everyRow : dialect.randomRows(everyRow, sample.rows);
  return compileRaw(sql`select ${sql.join(columns.map((_, index) => dialect.countsOfEach(sql.id(`k${index}`))))} from ${from}`);
}

/** Two texts per row: latitude and longitude. */
export function compilePositions(
  table: SqlTable,
  location: { readonly latitude: string; readonly longitude: string },
  rows: number,
  query: Narrowing,
  dialect: SqlDialect,
): Compiled {
  const [lat, lng] = [location.latitude, location.longitude].map((name) => {
    const column = requireColumn(table, name);
    return dialect.asDouble(comparable(column, dialect));
  });
  const found = sql`select ${lat} as lat, ${lng} as lng from ${table.from}${whereSql(table, query, dialect)}`;
  const onMap = sql`(select lat, lng from (${found}) as located where lat between -90 and 90 and lng between -180 and ${sql.lit(lastLongitude)}) as positions`;
  return compileRaw(
    sql`select ${dialect.asText(sql`round(lat, 2)`)}, ${dialect.asText(sql`round(${westward(sql`lng`)}, 2)`)} from ${dialect.randomRows(onMap, rows)}`,
  );
}

/** Null for values that are shown as empty: also for infinite times. */
function profiled(column: SqlColumn, dialect: SqlDialect): RawBuilder<unknown> {
  const value = comparable(column, dialect);
  return column.storage.kind === "instant" && column.type !== "STRING"
    ? sql`case when ${dialect.isInstant(value)} then ${value} end`
    : value;
}

function keySql(key: ProfileKey, column: SqlColumn, dialect: SqlDialect): RawBuilder<unknown> {
  const value = profiled(column, dialect);
  switch (key.kind) {
    case "values":
      return value;
    case "candidates":
      return sql`case when ${value} in (${sql.join(key.texts)}) then ${value} end`;
    case "steps":
      // `least` and `greatest` ignore nulls.
      return sql`case when ${value} is not null then ${stepSql(value, column, key.grid, dialect)} end`;
    case "coverage":
      return dialect.unitStart(key.unit, value, column);
    default:
      return key satisfies never;
  }
}

function stepSql(value: RawBuilder<unknown>, column: SqlColumn, { low, width }: StepGrid, dialect: SqlDialect): RawBuilder<unknown> {
  const { storage, type } = column;
  const isWhole = type !== "decimal" && Number.isSafeInteger(low) && Number.isSafeInteger(width);
  const isFast = storage.kind === "instant" || (storage.kind === "integer" && storage.width === undefined && storage.digits === undefined);
  if (isWhole && isFast) return sql`least(${sql.lit(histogramSteps - 1)}, ${dialect.step(value, column, BigInt(low), BigInt(width))})`;
  return clampedStep(sql`(${dialect.magnitude(value, column)} - ${number(low)}) / ${number(width)}`);
}

/** Clamped before the cast, because the data may have changed since the grid was chosen. */
const clampedStep = (position: RawBuilder<unknown>) =>
  sql`cast(least(${sql.lit(histogramSteps - 1)}, greatest(0, floor(${position}))) as integer)`;

/** A literal that is a floating-point number in SQL as well. */
const number = (value: number | undefined): RawBuilder<unknown> | null =>
  value === undefined ? null : sql`cast(${sql.lit(String(value))} as double)`;

/** Texts as they are, other values as JSON. */
const fullText = (value: RawBuilder<unknown>, column: SqlColumn, dialect: SqlDialect) =>
  column.type === "STRING" ? dialect.asText(value) : dialect.cellJson(value, column);

/** One character more than is shown reveals that a text is longer. */
const cut = (text: RawBuilder<unknown>, dialect: SqlDialect) => dialect.leading(text, profileTextCharacters + 1);

const shownText = (value: RawBuilder<unknown>, column: SqlColumn, dialect: SqlDialect) =>
  column.type === "STRING" ? cut(dialect.asText(value), dialect) : dialect.cellJson(value, column);
