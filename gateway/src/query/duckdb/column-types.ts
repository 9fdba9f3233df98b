import type { ColumnType } from "@fairway/contract/columns";
import type { Storage, WideInteger } from "#query/sql/table.ts";

const narrowIntegers = new Set(["TINYINT", "SMALLINT", "INTEGER", "UTINYINT", "USMALLINT", "UINTEGER"]);
const wideIntegers: ReadonlyMap<string, WideInteger> = new Map([
  ["UBIGINT", "uint64"],
  ["HUGEINT", "int128"],
  ["UHUGEINT", "uint128"],
]);
const instants = new Set(["DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP WITH TIME ZONE"]);

/** How DuckDB stores a column of this type, as named by DESCRIBE. */
export function storageOf(duckType: string, finite: boolean): Storage {
  if (duckType === "VARCHAR") return { kind: "text" };
  if (duckType === "BOOLEAN") return { kind: "boolean" };
  if (narrowIntegers.has(duckType)) return { kind: "integer", narrow: true };
  if (duckType === "BIGINT") return { kind: "integer", narrow: false };
  const width = wideIntegers.get(duckType);
  if (width !== undefined) return { kind: "integer", narrow: false, width };
  if (duckType === "DOUBLE" || duckType === "FLOAT") return { kind: "floating", single: duckType === "FLOAT", finite };
  const decimal = /^DECIMAL\((\d+),(\d+)\)$/.exec(duckType);
  // With scale 0 it holds integers: files store integers wider than 64 bits this way.
  if (decimal !== null) {
    const [digits, scale] = [Number(decimal[1]), Number(decimal[2])];
    return scale === 0
      ? { kind: "integer", narrow: digits <= 15, digits }
      : { kind: "exact-decimal", narrow: digits - scale <= 15, digits, scale };
  }
  if (duckType === "TIMESTAMP_NS") return { kind: "instant", zoned: false, nanoseconds: true };
  if (instants.has(duckType)) return { kind: "instant", zoned: duckType.endsWith("ZONE") };
  return { kind: "other" };
}

/** Whether values are structures, lists or maps, which are sent as JSON text. */
export const isNested = (duckType: string): boolean => /^(STRUCT|MAP|UNION)\(|\[\d*\]$/.test(duckType);

/** The product's default type for a DuckDB column. */
export function typeOf(duckType: string): ColumnType {
  const storage = storageOf(duckType, false);
  switch (storage.kind) {
    case "text":
    case "other":
      return "STRING";
    case "boolean":
      return "BOOLEAN";
    case "integer":
      return "integer";
    case "exact-decimal":
    case "floating":
      return "decimal";
    case "instant":
      return duckType === "DATE" || duckType === "TIMESTAMP_S" ? "TIMESTAMP_SECONDS" : "TIMESTAMP_MILLS";
    default:
      return storage satisfies never;
  }
}
