import { decompress as decompressZstd } from "fzstd";
import { type AsyncBuffer, type Compressors, type FileMetaData, parquetMetadataAsync, snappyUncompress } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { parquetReadColumn } from "hyparquet/src/read.js";
import { decompressBrotli } from "hyparquet-compressors/src/brotli.js";
import { gunzip } from "hyparquet-compressors/src/gzip.js";
import { decompressLz4, decompressLz4Raw } from "hyparquet-compressors/src/lz4.js";
import { columnsOf, type ParquetColumn } from "./parquet-schema.ts";
import { asStored, textParsers, valueText } from "./parquet-values.ts";
import type { TableColumn } from "../table-data.ts";

export interface ParquetTable {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly string[])[];
  /** Of the file, as it claims. */
  readonly totalRows: number;
  readonly totalColumns: number;
  /** Columns whose values could not be read, and why. */
  readonly unread: readonly { readonly name: string; readonly reason: string }[];
}

const maxColumns = 1_000;
const maxRows = 10_000;
const maxCells = 200_000;
/** Parsed, a footer takes some fifty times as much memory. */
const maxFooterBytes = 16_000_000;
/** A row group up to this size is read by one request. */
const smallGroupBytes = 8_000_000;
const maxColumnBytes = 32_000_000;
const maxTotalBytes = 128_000_000;
const maxGroups = 20;
/** Upper bound on the size that a page may claim. Its values are laid out in memory before they are read. */
const maxPageBytes = 128_000_000;
const maxPageValues = 4_000_000;

/** The columns and first rows of a Parquet file. Reads ranges of it; whatever these claim, memory stays bounded. */
export async function readParquet(file: AsyncBuffer): Promise<ParquetTable> {
  const metadata = await readFooter(file);
  const { columns, total } = columnsOf(metadata, maxColumns);
  const rowLimit = Math.max(100, Math.min(maxRows, Math.floor(maxCells / Math.max(1, columns.length))));
  const groups = firstGroups(metadata, rowLimit);
  const ranges = await readSmallGroups(file, groups);
  const budget = { bytes: maxTotalBytes };
  const settled = await Promise.allSettled(columns.map((column) => readColumn(ranges, metadata, groups, column, rowLimit, budget)));
  const unread = settled.flatMap((result, index) =>
    result.status === "fulfilled" ? [] : [{ name: columns[index]?.name ?? "", reason: messageOf(result.reason) }],
  );
  if (columns.length > 0 && unread.length === columns.length) throw new Error(unread[0]?.reason);
  const texts = settled.map((result) => (result.status === "fulfilled" ? result.value : []));
  const rowCount = texts.reduce((max, { length }) => Math.max(max, length), 0);
  return {
    columns: columns.map(({ name, type, isNumeric }) => ({ name, type, isNumeric })),
    rows: Array.from({ length: rowCount }, (_, row) => texts.map((column) => column[row] ?? "")),
    totalRows: Math.max(0, Number(metadata.num_rows)),
    totalColumns: total,
    unread,
  };
}

type RowGroup = FileMetaData["row_groups"][number];

async function readFooter(file: AsyncBuffer): Promise<FileMetaData> {
  const end = new DataView(await file.slice(Math.max(0, file.byteLength - 8), file.byteLength));
  if (end.byteLength < 8 || end.getUint32(4, true) !== 0x31524150) throw new Error("it is cut off, or is not a Parquet file");
  const length = end.getUint32(0, true);
  if (length > file.byteLength - 8) throw new Error("its footer would be longer than the file");
  if (length > maxFooterBytes) throw new Error("the description of its columns is too long to be shown here");
  return parquetMetadataAsync(file, { initialFetchSize: length + 8, geoparquet: false });
}

/** The first row groups that hold enough rows. */
function firstGroups({ row_groups: all }: FileMetaData, rowLimit: number): RowGroup[] {
  const groups: RowGroup[] = [];
  let rows = 0;
  for (const group of all) {
    if (rows >= rowLimit || groups.length >= maxGroups) break;
    groups.push(group);
    rows += Number(group.num_rows);
  }
  return groups;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function rangeOf({ meta_data: data }: RowGroup["columns"][number]): Range {
  if (!data) throw new Error("a column has no data in this file");
  const { dictionary_page_offset: dictionary, data_page_offset: page } = data;
  const start = Number(dictionary && dictionary < page ? dictionary : page);
  return { start, end: start + Number(data.total_compressed_size) };
}

/** The file, with row groups that are small already read. */
async function readSmallGroups(file: AsyncBuffer, groups: readonly RowGroup[]): Promise<AsyncBuffer> {
  const read: (Range & { bytes: ArrayBuffer })[] = [];
  let left = smallGroupBytes;
  for (const group of groups) {
    const chunks = group.columns.filter(({ meta_data: data }) => data !== undefined).map(rangeOf);
    const start = chunks.reduce((min, chunk) => Math.min(min, chunk.start), file.byteLength);
    const end = chunks.reduce((max, chunk) => Math.max(max, chunk.end), 0);
    left -= end - start;
    if (left < 0 || start < 0 || end <= start || end > file.byteLength) break;
    read.push({ start, end, bytes: await file.slice(start, end) });
  }
  return {
    byteLength: file.byteLength,
    slice: (start, end = file.byteLength) => {
      const range = read.find((one) => one.start <= start && end <= one.end);
      return range ? range.bytes.slice(start - range.start, end - range.start) : file.slice(start, end);
    },
  };
}

/** The first values of a column as texts. Rejects if they cannot be read, or would take too much. */
async function readColumn(
  file: AsyncBuffer,
  metadata: FileMetaData,
  groups: readonly RowGroup[],
  column: ParquetColumn,
  rowLimit: number,
  budget: { bytes: number },
): Promise<string[]> {
  const own = groups.map((group) => ({ ...group, columns: group.columns.slice(column.firstChunk, column.firstChunk + column.chunks) }));
  const ranges = own.flatMap(({ columns }) => columns.map(rangeOf));
  const bytes = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
  if (ranges.some(({ start, end }) => start < 0 || end < start || end > file.byteLength)) throw new Error("its data is not in the file");
  if (bytes > maxColumnBytes || bytes > budget.bytes) throw new Error("its data is too large to be shown here");
  budget.bytes -= bytes;
  const chunks = await Promise.all(ranges.map(async ({ start, end }) => ({ start, bytes: await file.slice(start, end) })));
  for (const chunk of chunks) checkPages(chunk.bytes);
  const [root] = metadata.schema;
  const values = await parquetReadColumn({
    file: {
      byteLength: file.byteLength,
      slice: (start, end = file.byteLength) => sliceOf(chunks, start, end),
    },
    metadata: { ...metadata, schema: [{ name: "root", ...root, num_children: 1 }, ...column.elements.map(asStored)], row_groups: own },
    columns: [column.name],
    rowEnd: rowLimit,
    compressors,
    parsers: textParsers,
    geoparquet: false,
    utf8: false,
  });
  return Array.from({ length: Math.min(rowLimit, values.length) }, (_, row) => valueText(values[row], column.leaf));
}

/** The parser reads neighboring chunks together. */
function sliceOf(chunks: readonly { start: number; bytes: ArrayBuffer }[], start: number, end: number): ArrayBuffer {
  const slice = new Uint8Array(end - start);
  for (const chunk of chunks) {
    const from = Math.max(start, chunk.start);
    const to = Math.min(end, chunk.start + chunk.bytes.byteLength);
    if (from < to) slice.set(new Uint8Array(chunk.bytes, from - chunk.start, to - from), from - start);
  }
  return slice.buffer;
}

/** Refuses pages that would be laid out larger than memory before their values are read. */
export function checkPages(bytes: ArrayBuffer): void {
  const reader = { view: new DataView(bytes), offset: 0 };
  while (reader.offset < bytes.byteLength - 1) {
    const header = parquetHeader(reader);
    const values = [
      header.data_page_header?.num_values ?? 0,
      header.data_page_header_v2?.num_values ?? 0,
      header.data_page_header_v2?.num_rows ?? 0,
      header.dictionary_page_header?.num_values ?? 0,
    ];
    const sizes = [header.compressed_page_size, header.uncompressed_page_size, ...values];
    if (!sizes.every((size) => size >= 0)) throw new Error("one of its pages is damaged");
    if (header.uncompressed_page_size > maxPageBytes || Math.max(...values) > maxPageValues) {
      throw new Error("one of its pages is too large to be shown here");
    }
    reader.offset += header.compressed_page_size;
  }
}

/** In JavaScript alone. */
const compressors: Compressors = {
  SNAPPY: (input, length) => {
    const output = new Uint8Array(length);
    snappyUncompress(input, output);
    return output;
  },
  GZIP: (input, length) => gunzip(input, new Uint8Array(length)),
  BROTLI: decompressBrotli,
  ZSTD: (input, length) => decompressZstd(input, new Uint8Array(length)),
  LZ4: decompressLz4,
  LZ4_RAW: decompressLz4Raw,
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
