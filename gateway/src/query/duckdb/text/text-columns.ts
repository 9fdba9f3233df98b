import type { ColumnType } from "@fairway/contract/columns";
import { type RawBuilder, sql } from "kysely";
import type { Storage } from "#query/sql/table.ts";
import { type TextType, asDouble, asWhole } from "./text-types.ts";

export interface ReadColumn {
  readonly value: RawBuilder<unknown>;
  readonly storage: Storage;
}

/** A column of texts as the dataset describes it. A text that is no value of the type is empty, whatever the query. */
export function readAs(type: ColumnType, value: RawBuilder<unknown>, text: TextType): ReadColumn {
  switch (type) {
    case "STRING":
      return { value, storage: { kind: "text" } };
    case "BOOLEAN":
      return { value: sql`try_cast(${value} as boolean)`, storage: { kind: "boolean" } };
    case "integer":
      return wholeColumn(value, text);
    case "decimal":
      return { value: asDouble(value, text.hasDecimalComma), storage: { kind: "floating", single: false, finite: false } };
    case "TIMESTAMP_SECONDS":
    case "TIMESTAMP_MILLS":
      return momentColumn(value, text);
    default:
      return type satisfies never;
  }
}

const wholeColumn = (value: RawBuilder<unknown>, { duckType }: TextType): ReadColumn =>
  duckType === "HUGEINT"
    ? { value: asWhole(value, "HUGEINT"), storage: { kind: "integer", narrow: false, huge: true } }
    : { value: asWhole(value, "BIGINT"), storage: { kind: "integer", narrow: false } };

function momentColumn(value: RawBuilder<unknown>, text: TextType): ReadColumn {
  const { duckType, format } = text;
  // A number is a moment in the column's unit.
  if (duckType === "BIGINT" || duckType === "HUGEINT") return wholeColumn(value, text);
  if (duckType === "DOUBLE") return readAs("decimal", value, text);
  const isZoned = format === null && duckType !== "TIMESTAMP" && duckType !== "DATE";
  const moment =
    format === null
      ? sql`try_cast(${value} as ${sql.raw(isZoned ? "timestamptz" : "timestamp")})`
      : sql`try_strptime(${value}, ${sql.lit(format)})`;
  return { value: moment, storage: { kind: "instant", zoned: isZoned } };
}
