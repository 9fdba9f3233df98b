import type { CellValue } from "@fairway/contract/search";
import { type RawBuilder, sql } from "kysely";
import { decimalText } from "../exact-numbers.ts";
import type { SqlColumn, SqlDialect } from "../table.ts";
import { readKey } from "./cell-text.ts";
import type { Key } from "./keys.ts";

type Value = RawBuilder<unknown>;

/** How the rows of a statement get their place on an axis. */
export interface AxisRows {
  /** Columns of each row. */
  readonly columns: readonly Value[];
  /** The same columns by their names. */
  readonly names: readonly Value[];
  /** JSON texts of the columns. */
  readonly shown: readonly Value[];
  /** Rows that have a place; undefined: all. */
  readonly where?: Value;
  /** Further tables in FROM. */
  readonly from?: Value;
  /** The place of the entry with these texts; undefined if there is none. */
  readonly placeOf: (texts: readonly (string | null)[]) => number | undefined;
}

/** Places of the entries of values. */
export interface ValuePlaces {
  readonly values: readonly CellValue[];
  /** Undefined: rows of other values have no place. */
  readonly other: number | undefined;
  /** Undefined: rows without a value have no place. */
  readonly empty: number | undefined;
  /** Whether the values are all there are. */
  readonly isComplete: boolean;
}

const classes = { named: 0, other: 1, empty: 2 } as const;

/** Rows by their value, the values of Other together. */
export function valueRows(axis: number, { value, shown }: Key, places: ValuePlaces, dialect: SqlDialect): AxisRows {
  const { values, other, empty, isComplete } = places;
  const [k, c] = [sql`${sql.id(`k${axis}`)}`, sql`${sql.id(`c${axis}`)}`];
  const isNamed = isComplete ? sql<boolean>`${value} is not null` : isOneOf(value, shown, values, dialect);
  const kept = [
    ...(other === undefined && !isComplete ? [isNamed] : []),
    ...(other !== undefined || isComplete ? [sql`${value} is not null`] : []),
  ];
  const where = empty === undefined ? sql`(${sql.join(kept, sql` and `)})` : sql`(${value} is null or ${sql.join(kept, sql` and `)})`;
  const placeByValue = new Map(values.map((one, place) => [JSON.stringify(one), place]));
  return {
    columns: [
      sql`case when ${isNamed} then ${value} end as ${k}`,
      sql`case when ${value} is null then ${sql.lit(classes.empty)} when ${isNamed} then ${sql.lit(classes.named)} else ${sql.lit(classes.other)} end as ${c}`,
    ],
    names: [k, c],
    shown: [dialect.cellJson(k, shown), dialect.asText(c)],
    ...(empty !== undefined && (isComplete || other !== undefined) ? {} : { where }),
    placeOf: ([key = null, rowClass]) => {
      if (Number(rowClass) === classes.empty) return empty;
      return Number(rowClass) === classes.other ? other : placeByValue.get(JSON.stringify(readKey(key, shown)));
    },
  };
}

/** Only the rows of other values. */
export const restRows = ({ value, shown }: Key, named: readonly CellValue[], dialect: SqlDialect): AxisRows => ({
  columns: [],
  names: [],
  shown: [],
  where: sql`(${value} is not null and not ${isOneOf(value, shown, named, dialect)})`,
  placeOf: () => undefined,
});

/** Whether a key is one of some values, which are as they were shown. */
export function isOneOf(value: Value, shown: SqlColumn, values: readonly CellValue[], dialect: SqlDialect): RawBuilder<boolean> {
  if (values.length === 0) return sql<boolean>`false`;
  return sql<boolean>`(${value} is not null and ${value} in (${sql.join(
    values.map((one) => keyLiteral(one, shown, dialect)),
    sql`, `,
  )}))`;
}

function keyLiteral(value: CellValue, { type, storage }: SqlColumn, dialect: SqlDialect): Value {
  if (type === "STRING" || typeof value === "boolean" || value === null) return sql`${value}`;
  switch (storage.kind) {
    case "integer":
      return dialect.integer(BigInt(value), storage.width);
    case "exact-decimal":
      return dialect.exactDecimal(plainDecimal(String(value), storage.scale), storage.digits, storage.scale);
    case "floating":
      return dialect.floating(Number(value), storage.single);
    case "text":
    case "other":
    case "boolean":
    case "instant":
      return sql`${value}`;
    default:
      return storage satisfies never;
  }
}

/** Without an exponent, which JavaScript writes of small numbers. */
function plainDecimal(text: string, scale: number): string {
  const [, sign = "", whole = "", fraction = "", power = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const shift = scale + Number(power) - fraction.length;
  const digits = BigInt(`${whole}${fraction}`) * 10n ** BigInt(Math.max(0, shift));
  return decimalText(sign === "-" ? -digits : digits, Math.max(scale, scale - shift));
}
