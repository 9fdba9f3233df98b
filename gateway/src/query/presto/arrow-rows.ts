import { isTimestamp } from "@fairway/contract/columns";
import {
  Bool,
  Data,
  type DataType,
  DateDay,
  Decimal,
  Field,
  Float32,
  Float64,
  Int32,
  Int64,
  TimeUnit,
  Timestamp,
  Utf8,
} from "apache-arrow";
import { Bits } from "#query/arrow/bits.ts";
import { type ArrowPart, IpcStream } from "#query/arrow/ipc-stream.ts";
import { storedUnit } from "#query/arrow/stored-times.ts";
import type { SqlColumn } from "#query/sql/table.ts";

type Rows = readonly (readonly unknown[])[];

/** At least, unless it is the last one. */
const rowsPerBatch = 8_192;

/** A server's rows as an Arrow IPC stream of up to `limit` rows. Reads to the end, and calls `onCut` if there were more. */
export async function* arrowRows(
  pages: AsyncIterable<Rows>,
  columns: readonly SqlColumn[],
  limit: number,
  onCut: () => void,
): AsyncGenerator<ArrowPart> {
  const writers = columns.map(columnWriter);
  const stream = new IpcStream(writers.map(({ field }) => field));
  let collected: (readonly unknown[])[] = [];
  let taken = 0;
  let isCut = false;
  const batch = (): ArrowPart => {
    const rows = collected;
    collected = [];
    return stream.batch(
      writers.map(({ write }, index) => write(rows.map((row) => row[index] ?? null))),
      rows.length,
      isCut,
    );
  };
  for await (const page of pages) {
    for (const row of page) {
      if (taken === limit) {
        isCut = true;
        break;
      }
      taken++;
      collected.push(row);
    }
    if (collected.length >= rowsPerBatch) yield batch();
  }
  if (isCut) onCut();
  if (isCut || collected.length > 0) yield batch();
  yield stream.end();
}

/** `write` makes a column of a batch of the values that the server sends; null where there is none. */
interface ColumnWriter {
  readonly field: Field;
  readonly write: (values: readonly unknown[]) => Data;
}

function columnWriter(column: SqlColumn): ColumnWriter {
  const { name, type, storage } = column;
  const writer = <Type extends DataType>(of: Type, write: (of: Type, values: readonly unknown[]) => Data): ColumnWriter => ({
    field: new Field(name, of, true),
    write: (values) => write(of, values),
  });
  if (type === "STRING") return writer(new Utf8(), texts);
  switch (storage.kind) {
    case "boolean":
      return writer(new Bool(), booleans);
    case "instant":
      return column.day === true ? writer(new DateDay(), days) : writer(new Timestamp(TimeUnit.MILLISECOND, "UTC"), integers);
    case "floating":
      if (isTimestamp(column.type)) return writer(new Timestamp(storedUnit(column), "UTC"), microseconds(column));
      return storage.single ? writer(new Float32(), numbers(Float32Array)) : writer(new Float64(), numbers(Float64Array));
    case "integer":
      if (isTimestamp(column.type)) return writer(new Timestamp(storedUnit(column), "UTC"), integers);
      if (storage.digits === undefined) return storage.narrow ? writer(new Int32(), numbers(Int32Array)) : writer(new Int64(), integers);
      return storage.digits <= 18 ? writer(new Int64(), integers) : writer(new Decimal(0, storage.digits, 128), decimals);
    case "exact-decimal":
      if (isTimestamp(column.type)) return writer(new Timestamp(storedUnit(column), "UTC"), microseconds(column));
      return writer(new Decimal(storage.scale, storage.digits, 128), decimals);
    case "text":
    case "other":
      return writer(new Utf8(), texts);
    default:
      return storage satisfies never;
  }
}

/** Values of one width. `set` returns false for what is no value of the type, which is shown as empty. */
function fixed(type: DataType, sent: readonly unknown[], values: ArrayBufferView, set: (index: number, value: unknown) => boolean): Data {
  const valid = new Bits();
  valid.append((index) => sent[index] !== null && set(index, sent[index]), sent.length);
  return data(type, sent.length, valid, values);
}

function data(type: DataType, rows: number, valid: Bits, values: ArrayBufferView, offsets?: Int32Array): Data {
  const nullCount = rows - valid.ones;
  const buffers = nullCount === 0 ? [offsets, values] : [offsets, values, valid.take()];
  return new Data(type, 0, rows, nullCount, buffers as unknown as Partial<Data["buffers"]>);
}

const numbers =
  (ArrayType: new (length: number) => Int32Array | Float32Array | Float64Array) =>
  (type: DataType, sent: readonly unknown[]): Data => {
    const values = new ArrayType(sent.length);
    return fixed(type, sent, values, (index, value) => {
      if (typeof value !== "number" || !Number.isFinite(value)) return false;
      values[index] = value;
      return true;
    });
  };

const wholeNumber = /^-?\d+$/;
const [min64, max64] = [-(2n ** 63n), 2n ** 63n - 1n];

/** 64-bit integers come as numbers, or as text where they may have too many digits for one. */
function integers(type: DataType, sent: readonly unknown[]): Data {
  const values = new BigInt64Array(sent.length);
  return fixed(type, sent, values, (index, value) => {
    const text = String(value);
    if (!wholeNumber.test(text)) return false;
    const whole = BigInt(text);
    if (whole < min64 || whole > max64) return false;
    values[index] = whole;
    return true;
  });
}

const dayMs = 86_400_000;

/** Of epoch milliseconds. */
function days(type: DataType, sent: readonly unknown[]): Data {
  const values = new Int32Array(sent.length);
  return fixed(type, sent, values, (index, value) => {
    const day = wholeNumber.test(String(value)) ? Math.floor(Number(value) / dayMs) : Number.NaN;
    if (Math.abs(day) > 2 ** 31 - 1 || Number.isNaN(day)) return false;
    values[index] = day;
    return true;
  });
}

const microseconds = (column: SqlColumn) => {
  const factor = column.type === "TIMESTAMP_SECONDS" ? 1_000_000 : 1_000;
  return (type: DataType, sent: readonly unknown[]): Data => {
    const values = new BigInt64Array(sent.length);
    return fixed(type, sent, values, (index, value) => {
      const time = Math.round(Number(value) * factor);
      if (!Number.isSafeInteger(time)) return false;
      values[index] = BigInt(time);
      return true;
    });
  };
};

/** Decimals come as text with all digits of their scale. */
function decimals(type: Decimal, sent: readonly unknown[]): Data {
  const words = new BigUint64Array(sent.length * 2);
  return fixed(type, sent, new Uint32Array(words.buffer), (index, value) => {
    const unscaled = String(value).replace(".", "");
    if (!wholeNumber.test(unscaled)) return false;
    const whole = BigInt(unscaled);
    words[index * 2] = BigInt.asUintN(64, whole);
    words[index * 2 + 1] = BigInt.asUintN(64, whole >> 64n);
    return true;
  });
}

function booleans(type: Bool, sent: readonly unknown[]): Data {
  const [valid, values] = [new Bits(), new Bits()];
  valid.append((index) => typeof sent[index] === "boolean", sent.length);
  values.append((index) => sent[index] === true, sent.length);
  return data(type, sent.length, valid, values.take());
}

function texts(type: Utf8, sent: readonly unknown[]): Data {
  const valid = new Bits();
  valid.append((index) => sent[index] !== null, sent.length);
  const parts = sent.map((value) => Buffer.from(value === null ? "" : typeof value === "string" ? value : JSON.stringify(value)));
  const offsets = new Int32Array(sent.length + 1);
  for (const [index, part] of parts.entries()) offsets[index + 1] = (offsets[index] ?? 0) + part.length;
  return data(type, sent.length, valid, Buffer.concat(parts), offsets);
}
