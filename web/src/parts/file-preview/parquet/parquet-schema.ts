import type { FileMetaData, SchemaElement } from "hyparquet";

/** A column of a Parquet file, with everything that is needed to read it alone. */
export interface ParquetColumn {
  readonly name: string;
  /** `int64`, `decimal(18,3)`, `list<string>`. */
  readonly type: string;
  readonly isNumeric: boolean;
  /** Schema element that decides how a value is written; nested columns are written as JSON. */
  readonly leaf: SchemaElement | undefined;
  /** The column's part of the schema, its own element first. */
  readonly elements: readonly SchemaElement[];
  /** Its first physical column, and how many it has. */
  readonly firstChunk: number;
  readonly chunks: number;
}

export interface ParquetSchema {
  /** The first columns, at most as many as were asked for. */
  readonly columns: readonly ParquetColumn[];
  readonly total: number;
}

/** The columns of a file. Does not recurse: files claim any depth. */
export function columnsOf({ schema: [root, ...elements] }: FileMetaData, maxColumns: number): ParquetSchema {
  const total = root?.num_children ?? 0;
  const columns: ParquetColumn[] = [];
  let at = 0;
  let firstChunk = 0;
  while (columns.length < Math.min(total, maxColumns)) {
    const end = endOf(elements, at);
    const own = elements.slice(at, end);
    const [element] = own;
    if (!element) throw new Error("it has fewer columns than it declares");
    const chunks = own.filter(({ type }) => type !== undefined).length;
    const isLeaf = own.length === 1 && element.repetition_type !== "REPEATED";
    columns.push({
      name: element.name,
      type: typeName(own),
      isNumeric: isLeaf && isNumber(element),
      leaf: isLeaf ? element : undefined,
      elements: own,
      firstChunk,
      chunks,
    });
    at = end;
    firstChunk += chunks;
  }
  return { columns, total };
}

/** The index behind an element and everything below it. */
function endOf(elements: readonly SchemaElement[], start: number): number {
  let open = 1;
  let at = start;
  while (open > 0 && at < elements.length) {
    open += (elements[at]?.num_children ?? 0) - 1;
    at += 1;
  }
  if (open > 0) throw new Error("it has fewer columns than it declares");
  return at;
}

function typeName(elements: readonly SchemaElement[]): string {
  const [element, ...inner] = elements;
  if (!element) return "";
  if (element.type !== undefined && inner.length === 0)
    return element.repetition_type === "REPEATED" ? `list<${leafType(element)}>` : leafType(element);
  const kind = element.logical_type?.type ?? element.converted_type;
  // A list is written as a group of one repeated group of one element.
  if (kind === "LIST" && inner.length === 2 && inner[1]?.type !== undefined) return `list<${leafType(inner[1])}>`;
  return kind === "LIST" || kind === "MAP" || kind === "VARIANT" ? kind.toLowerCase() : "struct";
}

const plainTypes: Readonly<Record<string, string>> = {
  BYTE_ARRAY: "binary",
  FIXED_LEN_BYTE_ARRAY: "binary",
  INT96: "timestamp",
  UTF8: "string",
};

function leafType(element: SchemaElement): string {
  const { type = "", converted_type: converted, logical_type: logical } = element;
  if (isDecimal(element)) return `decimal(${element.precision ?? "?"},${element.scale ?? 0})`;
  if (logical?.type === "INTEGER") return `${logical.isSigned ? "int" : "uint"}${logical.bitWidth}`;
  const name = logical?.type ?? converted?.replace(/_(MILLIS|MICROS)$/, "").replace(/^(U?INT)_/, "$1") ?? type;
  return plainTypes[name] ?? name.toLowerCase();
}

export const isDecimal = ({ converted_type: converted, logical_type: logical }: SchemaElement): boolean =>
  converted === "DECIMAL" || logical?.type === "DECIMAL";

function isNumber(element: SchemaElement): boolean {
  const { type, converted_type: converted, logical_type: logical } = element;
  if (isDecimal(element) || logical?.type === "INTEGER" || logical?.type === "FLOAT16") return true;
  const isPlain = logical === undefined && (converted === undefined || /^U?INT_/.test(converted));
  return isPlain && (type === "INT32" || type === "INT64" || type === "FLOAT" || type === "DOUBLE");
}
