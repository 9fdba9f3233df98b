// Parquet files of types that the engine does not write. Every value is required, plainly encoded and uncompressed.

/** A column of numbers, or a structure of columns. */
export type WrittenColumn = { readonly name: string } & (
  | { readonly long: readonly bigint[] }
  /** Unscaled values of a decimal, of `bytes` bytes each; without a length, each takes as many as it needs. */
  | { readonly decimal: readonly bigint[]; readonly digits: number; readonly scale: number; readonly bytes?: number }
  | { readonly children: readonly WrittenColumn[] }
);

const magic = Buffer.from("PAR1");
const [longType, bytesType, fixedType] = [2, 6, 7] as const;
const decimalConversion = 5;

/** The bytes of a file. */
export function parquetOf(columns: readonly WrittenColumn[]): Buffer {
  const pages: Buffer[] = [magic];
  let offset = magic.length;
  let rows = 0;
  const schema: Buffer[] = [struct([text(4, "schema"), int(5, columns.length)])];
  const chunks: Buffer[] = [];
  const write = (column: WrittenColumn, parents: readonly string[]): void => {
    const names = [...parents, column.name];
    if ("children" in column) {
      schema.push(struct([int(3, 0), text(4, column.name), int(5, column.children.length)]));
      for (const child of column.children) write(child, names);
      return;
    }
    const isLong = "long" in column;
    const values = isLong ? column.long : column.decimal;
    const length = isLong ? 8 : column.bytes;
    const type = isLong ? longType : length === undefined ? bytesType : fixedType;
    schema.push(
      struct([
        int(1, type),
        ...(type === fixedType ? [int(2, length ?? 0)] : []),
        int(3, 0),
        text(4, column.name),
        ...(isLong ? [] : [int(6, decimalConversion), int(7, column.scale), int(8, column.digits)]),
      ]),
    );
    const data = Buffer.concat(
      values.map((value) =>
        isLong ? Buffer.from(bigEndian(value, 8).toReversed()) : type === fixedType ? bigEndian(value, length ?? 0) : prefixed(value),
      ),
    );
    const header = struct([
      int(1, 0),
      int(2, data.length),
      int(3, data.length),
      [5, 12, struct([int(1, values.length), int(2, 0), int(3, 3), int(4, 3)])],
    ]);
    const size = header.length + data.length;
    const about = struct([
      int(1, type),
      list(2, 5, [zigzag(0)]),
      list(3, 8, names.map(textBytes)),
      int(4, 0),
      long(5, values.length),
      long(6, size),
      long(7, size),
      long(9, offset),
    ]);
    chunks.push(struct([long(2, offset), [3, 12, about]]));
    pages.push(header, data);
    offset += size;
    rows = values.length;
  };
  for (const column of columns) write(column, []);
  const group = struct([list(1, 12, chunks), long(2, offset - magic.length), long(3, rows)]);
  const footer = struct([int(1, 1), list(2, 12, schema), long(3, rows), list(4, 12, [group]), text(6, "tests")]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([...pages, footer, length, magic]);
}

function bigEndian(value: bigint, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let rest = BigInt.asUintN(length * 8, value);
  for (let index = length - 1; index >= 0; index -= 1, rest >>= 8n) bytes[index] = Number(rest & 255n);
  return bytes;
}

function prefixed(value: bigint): Buffer {
  let length = 1;
  while (BigInt.asIntN(length * 8, value) !== value) length += 1;
  const head = Buffer.alloc(4);
  head.writeUInt32LE(length);
  return Buffer.concat([head, bigEndian(value, length)]);
}

/** A field of Thrift's compact protocol: its number, its type and its bytes. */
type Field = readonly [id: number, type: number, bytes: Buffer];

function struct(fields: readonly Field[]): Buffer {
  let before = 0;
  const parts = fields.map(([id, type, bytes]) => {
    const head = Buffer.from([((id - before) << 4) | type]);
    before = id;
    return Buffer.concat([head, bytes]);
  });
  return Buffer.concat([...parts, Buffer.from([0])]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}

const zigzag = (value: number): Buffer => varint(value * 2);
const int = (id: number, value: number): Field => [id, 5, zigzag(value)];
const long = (id: number, value: number): Field => [id, 6, zigzag(value)];
const textBytes = (value: string): Buffer => Buffer.concat([varint(Buffer.byteLength(value)), Buffer.from(value)]);
const text = (id: number, value: string): Field => [id, 8, textBytes(value)];
const list = (id: number, type: number, items: readonly Buffer[]): Field => [
  id,
  9,
  Buffer.concat([
    items.length < 15 ? Buffer.from([(items.length << 4) | type]) : Buffer.concat([Buffer.from([0xf0 | type]), varint(items.length)]),
    ...items,
  ]),
];
