import type { ColumnType } from "@fairway/contract/columns";
import { type RawBuilder, sql } from "kysely";
import type { Storage } from "#query/sql/table.ts";
import { type TextType, asDouble, asInteger } from "./text-types.ts";

export interface ReadColumn {
  readonly value: RawBuilder<unknown>;
  readonly storage: Storage;
}

/** A text column converted to the described type. Texts that are not values of the type become null. */
export function readAs(type: ColumnType, value: RawBuilder<unknown>, text: TextType): ReadColumn {
  switch (type) {
    case "STRING":
      return { value, storage: { kind: "text" } };
    case "BOOLEAN":
      return { value: sql`try_cast(${value} as boolean)`, storage: { kind: "boolean" } };
    case "integer":
      return integerColumn(value, text);
    case "decimal":
      return { value: asDouble(value, text.hasDecimalComma), storage: { kind: "floating", single: false, finite: false } };
    case "TIMESTAMP_SECONDS":
    case "TIMESTAMP_MILLS":
      return timestampColumn(value, text);
    default:
      return type satisfies never;
  }
}

const integerColumn = (value: RawBuilder<unknown>, { duckType }: TextType): ReadColumn =>
  duckType === "HUGEINT"
    ? { value: asInteger(value, "HUGEINT"), storage: { kind: "integer", narrow: false, huge: true } }
    : { value: asInteger(value, "BIGINT"), storage: { kind: "integer", narrow: false } };

function timestampColumn(value: RawBuilder<unknown>, text: TextType): ReadColumn {
  const { duckType, format } = text;
  // A number is a time in the column's unit.
  if (duckType === "BIGINT" || duckType === "HUGEINT") return integerColumn(value, text);
  if (duckType === "DOUBLE") return readAs("decimal", value, text);
  const isZoned = format === null && duckType !== "TIMESTAMP" && duckType !== "DATE";
  const timestamp =
    format === null
      ? sql`try_cast(${value} as ${sql.raw(isZoned ? "timestamptz" : "timestamp")})`
      : sql`try_strptime(${value}, ${sql.lit(format)})`;
  return { value: timestamp, storage: { kind: "instant", zoned: isZoned } };
}
