import { DuckDBTypeId } from "@duckdb/node-api";
import { isTimestamp } from "@fairway/contract/columns";
import bindings from "@duckdb/node-bindings";
import {
  Bool,
  Data,
  type DataType,
  DateDay,
  Decimal,
  Field,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  TimeUnit,
  Timestamp,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
} from "apache-arrow";
import { Bits } from "#query/arrow/bits.ts";
import { storedUnit } from "#query/arrow/stored-times.ts";
import type { SqlColumn } from "#query/sql/table.ts";

export type Vector = ReturnType<typeof bindings.data_chunk_get_vector>;

/** Collects a column's values from DuckDB's vectors, whose memory has the layout of Arrow's buffers, as one column of a batch. */
export interface ArrowColumn {
  readonly field: Field;
  /** Copies the first rows of a vector, which may be released afterwards. */
  append(vector: Vector, rows: number): void;
  /** The column of the rows since the last call. */
  take(): Data;
  /** Of the rows since the last call. */
  readonly byteLength: number;
}

/** Types whose values DuckDB and Arrow store alike, and the bytes of a value. */
const plainTypes: ReadonlyMap<DuckDBTypeId, readonly [DataType, width: number]> = new Map<DuckDBTypeId, [DataType, number]>([
  [DuckDBTypeId.TINYINT, [new Int8(), 1]],
  [DuckDBTypeId.SMALLINT, [new Int16(), 2]],
  [DuckDBTypeId.INTEGER, [new Int32(), 4]],
  [DuckDBTypeId.BIGINT, [new Int64(), 8]],
  [DuckDBTypeId.UTINYINT, [new Uint8(), 1]],
  [DuckDBTypeId.USMALLINT, [new Uint16(), 2]],
  [DuckDBTypeId.UINTEGER, [new Uint32(), 4]],
  [DuckDBTypeId.UBIGINT, [new Uint64(), 8]],
  [DuckDBTypeId.FLOAT, [new Float32(), 4]],
  [DuckDBTypeId.DOUBLE, [new Float64(), 8]],
  [DuckDBTypeId.DATE, [new DateDay(), 4]],
  [DuckDBTypeId.TIMESTAMP_S, [new Timestamp(TimeUnit.SECOND, "UTC"), 8]],
  [DuckDBTypeId.TIMESTAMP_MS, [new Timestamp(TimeUnit.MILLISECOND, "UTC"), 8]],
  [DuckDBTypeId.TIMESTAMP, [new Timestamp(TimeUnit.MICROSECOND, "UTC"), 8]],
  [DuckDBTypeId.TIMESTAMP_TZ, [new Timestamp(TimeUnit.MICROSECOND, "UTC"), 8]],
  [DuckDBTypeId.TIMESTAMP_NS, [new Timestamp(TimeUnit.NANOSECOND, "UTC"), 8]],
]);

/** A column as `arrow-sql.ts` selects it. */
export function arrowColumn(column: SqlColumn, typeId: DuckDBTypeId): ArrowColumn {
  const { name, storage } = column;
  if (typeId === DuckDBTypeId.VARCHAR) return new TextColumn(name);
  if (typeId === DuckDBTypeId.BOOLEAN) return new BooleanColumn(name);
  if (typeId === DuckDBTypeId.BIGINT && isTimestamp(column.type)) return new PlainColumn(name, new Timestamp(storedUnit(column), "UTC"), 8);
  if (typeId === DuckDBTypeId.DECIMAL) {
    const { scale, digits } = storage.kind === "exact-decimal" ? storage : { scale: 0, digits: 38 };
    return new PlainColumn(name, new Decimal(scale, digits, 128), 16);
  }
  const plain = plainTypes.get(typeId);
  if (plain === undefined) throw new Error(`no Arrow type for a column of DuckDB's type ${DuckDBTypeId[typeId]}`);
  return new PlainColumn(name, ...plain);
}

abstract class BaseColumn<Type extends DataType> implements ArrowColumn {
  readonly field: Field;
  protected readonly type: Type;
  readonly #valid = new Bits();

  constructor(name: string, type: Type) {
    this.type = type;
    this.field = new Field(name, type, true);
  }

  append(vector: Vector, rows: number): void {
    const isValid = validityOf(vector, rows);
    this.#valid.append(isValid, rows);
    this.appendValues(vector, rows, isValid);
  }

  take(): Data {
    const rows = this.#valid.length;
    const nullCount = rows - this.#valid.ones;
    const valid = this.#valid.take();
    const { values, offsets } = this.takeValues();
    const buffers = nullCount === 0 ? [offsets, values] : [offsets, values, valid];
    return new Data(this.type, 0, rows, nullCount, buffers as unknown as Partial<Data<Type>["buffers"]>);
  }

  abstract readonly byteLength: number;
  protected abstract appendValues(vector: Vector, rows: number, isValid: ((row: number) => boolean) | null): void;
  protected abstract takeValues(): { readonly values: ArrayBufferView; readonly offsets?: Int32Array };
}

/** Null if every row has a value. DuckDB keeps one bit per row, as Arrow does. */
function validityOf(vector: Vector, rows: number): ((row: number) => boolean) | null {
  // Missing if every row has a value, which the type does not say.
  const bits = bindings.vector_get_validity(vector, Math.ceil(rows / 64) * 8) as Uint8Array | null;
  return bits === null ? null : (row) => ((bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0;
}

/** Under rows without a value DuckDB leaves what the memory held before, which may be values of rows that others may not see. */
function clearEmpty(values: Uint8Array, width: number, isValid: (row: number) => boolean): void {
  const rows = values.length / width;
  for (let row = 0; row < rows; row++) if (!isValid(row)) values.fill(0, row * width, (row + 1) * width);
}

/** Values of one width, which are copied as they are, and zeros. */
class PlainColumn extends BaseColumn<DataType> {
  readonly #width: number;
  #parts: Uint8Array[] = [];
  byteLength = 0;

  constructor(name: string, type: DataType, width: number) {
    super(name, type);
    this.#width = width;
  }

  protected appendValues(vector: Vector, rows: number, isValid: ((row: number) => boolean) | null): void {
    const copy = bindings.vector_get_data(vector, rows * this.#width).slice();
    if (isValid !== null) clearEmpty(copy, this.#width, isValid);
    this.#parts.push(copy);
    this.byteLength += copy.length;
  }

  protected takeValues() {
    const { ArrayType } = this.type as { readonly ArrayType: new (buffer: ArrayBuffer) => ArrayBufferView };
    const values = new ArrayType(joined(this.#parts, this.byteLength).buffer);
    this.#parts = [];
    this.byteLength = 0;
    return { values };
  }
}

/** A byte per value in DuckDB, a bit in Arrow. */
class BooleanColumn extends BaseColumn<Bool> {
  readonly #bits = new Bits();

  constructor(name: string) {
    super(name, new Bool());
  }

  get byteLength(): number {
    return this.#bits.length / 8;
  }

  protected appendValues(vector: Vector, rows: number, isValid: ((row: number) => boolean) | null): void {
    const bytes = bindings.vector_get_data(vector, rows);
    this.#bits.append((row) => bytes[row] === 1 && (isValid === null || isValid(row)), rows);
  }

  protected takeValues() {
    return { values: this.#bits.take() };
  }
}

/** Texts of up to this many bytes are in the vector itself; of longer ones it holds an address. */
const inlineBytes = 12;
const bytesPerText = 16;

/** UTF-8 in both. */
class TextColumn extends BaseColumn<Utf8> {
  #parts: Uint8Array[] = [];
  #offsets: Int32Array[] = [];
  #rows = 0;
  byteLength = 0;

  constructor(name: string) {
    super(name, new Utf8());
  }

  protected appendValues(vector: Vector, rows: number, isValid: ((row: number) => boolean) | null): void {
    const ends = new Int32Array(rows);
    const texts = textsOf(vector, rows, isValid, ends);
    for (let row = 0; row < rows; row++) ends[row] = (ends[row] ?? 0) + this.byteLength;
    this.#parts.push(texts);
    this.#offsets.push(ends);
    this.#rows += rows;
    this.byteLength += texts.length;
  }

  protected takeValues() {
    const offsets = new Int32Array(this.#rows + 1);
    let at = 1;
    for (const part of this.#offsets) {
      offsets.set(part, at);
      at += part.length;
    }
    const values = joined(this.#parts, this.byteLength);
    this.#parts = [];
    this.#offsets = [];
    this.#rows = 0;
    this.byteLength = 0;
    return { values, offsets };
  }
}

/**
 * The bytes of a vector's texts, and where each one ends. Reading an address takes a call into DuckDB, so texts that lie next to each
 * other, as those of a vector mostly do, are read with one call, and repeated texts once.
 */
function textsOf(vector: Vector, rows: number, isValid: ((row: number) => boolean) | null, ends: Int32Array): Uint8Array {
  const entries = bindings.vector_get_data(vector, rows * bytesPerText);
  const words = new Uint32Array(entries.buffer, entries.byteOffset, rows * 4);
  const word = (index: number): number => words[index] ?? 0;
  const lengthOf = (row: number): number => (isValid === null || isValid(row) ? word(row * 4) : 0);
  const addressOf = (row: number): number => word(row * 4 + 2) + word(row * 4 + 3) * 2 ** 32;
  let total = 0;
  for (let row = 0; row < rows; row++) ends[row] = total += lengthOf(row);
  const bytes = new Uint8Array(total);
  const known = new Map<number, Uint8Array>();
  let at = 0;
  for (let row = 0; row < rows;) {
    const length = lengthOf(row);
    if (length <= inlineBytes) {
      const start = row * bytesPerText + 4;
      for (let index = 0; index < length; index++) bytes[at + index] = entries[start + index] ?? 0;
      at += length;
      row++;
      continue;
    }
    const address = addressOf(row);
    let end = address + length;
    let next = row + 1;
    while (next < rows && lengthOf(next) > inlineBytes && addressOf(next) === end) end += lengthOf(next++);
    let texts = known.get(address);
    if (texts === undefined || texts.length < end - address) {
      const buffer = entries.buffer as ArrayBuffer;
      texts = bindings.get_data_from_pointer(buffer, entries.byteOffset + row * bytesPerText + 8, end - address);
      known.set(address, texts);
    }
    bytes.set(texts.subarray(0, end - address), at);
    at += end - address;
    row = next;
  }
  return bytes;
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
