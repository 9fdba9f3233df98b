import { DataType, type Decimal, Precision, type Table, tableFromIPC } from "apache-arrow";

/** The rows of an Arrow IPC stream as a JSON answer shows them, except that times are milliseconds and decimals texts. */
export function shownRows(bytes: Uint8Array | readonly Uint8Array[]): Record<string, unknown>[] {
  const table = tableOf(bytes);
  return Array.from({ length: table.numRows }, (_, row) =>
    Object.fromEntries(
      table.schema.fields.map(({ name, type }, index) => [name, shown(table.getChildAt(index)?.get(row), type as DataType)]),
    ),
  );
}

export const tableOf = (bytes: Uint8Array | readonly Uint8Array[]): Table =>
  tableFromIPC(bytes instanceof Uint8Array ? bytes : Buffer.concat(bytes));

/** The type of each column, such as `Timestamp<MICROSECOND, UTC>`. */
export const typesOf = (bytes: Uint8Array): Record<string, string> =>
  Object.fromEntries(tableOf(bytes).schema.fields.map(({ name, type }) => [name, String(type)]));

function shown(value: unknown, type: DataType): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === "bigint") return value >= -(2n ** 53n) && value <= 2n ** 53n ? Number(value) : String(value);
  if (DataType.isTimestamp(type)) return Math.floor(Number(value));
  if (DataType.isFloat(type)) return type.precision === Precision.SINGLE ? Number(Math.fround(Number(value)).toPrecision(7)) : value;
  return DataType.isDecimal(type) ? decimalText(value as Uint32Array, type) : value;
}

function decimalText(words: Uint32Array, { scale }: Decimal): string {
  const unsigned = words.reduceRight((whole, word) => (whole << 32n) + BigInt(word), 0n);
  const value = BigInt.asIntN(128, unsigned);
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, "0");
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return value < 0n ? `-${text}` : text;
}
