import type { ColumnType } from "@fairway/contract/columns";
import { type RawBuilder, sql } from "kysely";
import type { Storage } from "#query/sql/table.ts";
import { asDecimal, asInteger } from "./number-forms.ts";
import type { TextReading } from "./text-reading.ts";
import { asTime, isZonedForm } from "./time-forms.ts";

export interface ReadColumn {
  readonly value: RawBuilder<unknown>;
  readonly storage: Storage;
}

/** A text column converted to the described type. Texts that are not values of the type become null. */
export function readAs(type: ColumnType, value: RawBuilder<unknown>, reading: TextReading): ReadColumn {
  switch (type) {
    case "STRING":
      return { value, storage: { kind: "text" } };
    case "BOOLEAN":
      return { value: asBoolean(value, reading), storage: { kind: "boolean" } };
    case "integer":
      return integerColumn(value, reading);
    case "decimal":
      return decimalColumn(value, reading);
    case "TIMESTAMP_SECONDS":
    case "TIMESTAMP_MILLS":
      return timestampColumn(value, reading);
    default:
      return type satisfies never;
  }
}

/** Columns that hold something else accept what the engine takes for a boolean, such as 1 and 0. */
function asBoolean(value: RawBuilder<unknown>, { duckType, booleans: [yes, no] }: TextReading): RawBuilder<unknown> {
  if (duckType !== "BOOLEAN") return sql`try_cast(${value} as boolean)`;
  const word = sql`regexp_extract(lower(${value}), ${sql.lit(`^[\\s\u00a0]*(${yes}|${no})[\\s\u00a0]*$`)}, 1)`;
  return yes === "true"
    ? sql`try_cast(${word} as boolean)`
    : sql`try_cast(replace(replace(${word}, ${sql.lit(yes)}, 'true'), ${sql.lit(no)}, 'false') as boolean)`;
}

/** `missingNumbers` hold digits only. */
const withoutMissing = (value: RawBuilder<unknown>, { missingNumbers }: TextReading): RawBuilder<unknown> =>
  missingNumbers.length === 0
    ? value
    : sql`list_filter([${value}], lambda number: number not in (${sql.join(missingNumbers.map((number) => sql.raw(number)))}))[1]`;

const integerColumn = (value: RawBuilder<unknown>, reading: TextReading): ReadColumn =>
  reading.duckType === "HUGEINT"
    ? {
        value: withoutMissing(asInteger(value, reading.number, "HUGEINT"), reading),
        storage: { kind: "integer", narrow: false, width: "int128" },
      }
    : { value: withoutMissing(asInteger(value, reading.number, "BIGINT"), reading), storage: { kind: "integer", narrow: false } };

function decimalColumn(value: RawBuilder<unknown>, reading: TextReading): ReadColumn {
  const { exact } = reading.number;
  return {
    value: withoutMissing(asDecimal(value, reading.number), reading),
    storage:
      exact === null
        ? { kind: "floating", single: false, finite: false }
        : { kind: "exact-decimal", narrow: exact.digits - exact.scale <= 15, digits: exact.digits, scale: exact.scale },
  };
}

function timestampColumn(value: RawBuilder<unknown>, reading: TextReading): ReadColumn {
  const { duckType, time } = reading;
  // A number is a time in the column's unit.
  if (duckType === "BIGINT" || duckType === "HUGEINT") return integerColumn(value, reading);
  if (duckType === "DOUBLE" || duckType.startsWith("DECIMAL")) return decimalColumn(value, reading);
  const zoned = isZonedForm(time);
  return { value: asTime(value, time), storage: { kind: "instant", zoned, ...(time.hasClock || zoned ? {} : { days: true }) } };
}
