import { extensionOf } from "./file-types.ts";

/** Formats of files whose rows can be read, and of containers of such files. */
export const dataFileFormats = ["csv", "tsv", "json", "json-lines", "geojson", "parquet", "xlsx", "zip", "gzip"] as const;
export type DataFileFormat = (typeof dataFileFormats)[number];

/** `refused`: why the file cannot be read and what to do instead, as a sentence that names it. */
export type DetectedFormat = { readonly format: DataFileFormat; readonly refused?: never } | { readonly refused: string };

/** How many of the first bytes `detectFormat` looks at. Fewer are enough for most files. */
export const detectedBytes = 65_536;

/** How a source of one format is read. */
export type ReadableFormat = "csv" | "json" | "parquet" | "xlsx";

/** Undefined for containers, whose files have formats of their own. */
export function readableFormat(format: DataFileFormat): ReadableFormat | undefined {
  switch (format) {
    case "csv":
    case "tsv":
      return "csv";
    case "json":
    case "json-lines":
    case "geojson":
      return "json";
    case "parquet":
    case "xlsx":
      return format;
    case "zip":
    case "gzip":
      return undefined;
    default:
      return format satisfies never;
  }
}

/**
 * The format of a file, by its first bytes and its name. Bytes decide where they are distinctive, as names are often wrong; names tell
 * texts apart. An empty file has the format of its name.
 */
export function detectFormat(name: string, firstBytes: Uint8Array): DetectedFormat {
  const fileName = name.slice(name.lastIndexOf("/") + 1);
  const bytes = firstBytes.subarray(0, detectedBytes);
  const refuse = (what: keyof typeof refusals): DetectedFormat => ({ refused: `'${fileName}' is ${refusals[what]}.` });
  const extension = extensionOf(fileName);
  if (startsWith(bytes, "PK\u0003\u0004") || startsWith(bytes, "PK\u0005\u0006")) return detectZip(bytes, extension, refuse);
  if (startsWith(bytes, "\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1")) return refuse(compoundFile(bytes, extension));
  // A tape archive has its mark behind the first name.
  if (startsWith(bytes.subarray(257), "ustar")) return refuse("packed");
  for (const [mark, found] of marks) if (startsWith(bytes, mark)) return typeof found === "string" ? refuse(found) : found;
  const text = textOf(bytes);
  if (text === undefined) return refuse(named(extension) ?? "unknown");
  return detectText(text, extension, refuse);
}

/** Descriptions of files that cannot be read, with what to do instead. */
const refusals = {
  xls: "an Excel 97 workbook; save it as .xlsx or CSV",
  xlsb: "a binary Excel workbook; save it as .xlsx or CSV",
  ods: "an OpenDocument spreadsheet; save it as .xlsx or CSV",
  xmlWorkbook: "an Excel 2003 workbook in XML; save it as .xlsx or CSV",
  encrypted: "a workbook with a password; save it without one",
  document: "a document and no table; save its table as .xlsx or CSV",
  shp: "a shapefile; save it as GeoJSON or CSV",
  kml: "a KML file; save it as GeoJSON or CSV",
  html: "a web page; save its table as CSV",
  xml: "an XML file; save it as CSV or JSON",
  arrow: "an Arrow file; save it as Parquet",
  encryptedParquet: "an encrypted Parquet file; save it without encryption",
  columns: "a file of a format that is not supported; save it as Parquet",
  sqlite: "a database; save its table as CSV",
  packed: "an archive of a kind that is not supported; unpack it, or pack it as ZIP",
  unknown: "no file of a known format; save it as CSV, .xlsx, JSON, GeoJSON or Parquet",
} as const;

type Refused = keyof typeof refusals;

const marks: readonly (readonly [string, Refused | { readonly format: DataFileFormat }])[] = [
  ["PAR1", { format: "parquet" }],
  ["PARE", "encryptedParquet"],
  ["\u001f\u008b", { format: "gzip" }],
  // Workbooks before Excel 97, and those without their container.
  ["\u0009\u0008\u0010\u0000", "xls"],
  ["\u0009\u0008\u0008\u0000", "xls"],
  ["\u0009\u0004\u0006\u0000", "xls"],
  ["\u0009\u0002\u0006\u0000", "xls"],
  ["\u0009\u0000\u0004\u0000", "xls"],
  ["\u0000\u0000\u0027\u000a", "shp"],
  ["ARROW1", "arrow"],
  ["ORC", "columns"],
  ["Obj\u0001", "columns"],
  ["SQLite format 3\u0000", "sqlite"],
  ["7z\u00bc\u00af\u0027\u001c", "packed"],
  ["Rar!\u001a", "packed"],
  ["BZh", "packed"],
  ["\u00fd7zXZ\u0000", "packed"],
  ["\u0028\u00b5\u002f\u00fd", "packed"],
  ["%PDF-", "document"],
];

/** Files of these names that are no texts. */
function named(extension: string): Refused | undefined {
  switch (extension) {
    case "xls":
    case "xlt":
      return "xls";
    case "xlsb":
      return "xlsb";
    case "ods":
      return "ods";
    case "shp":
      return "shp";
    case "kml":
    case "kmz":
      return "kml";
    case "tar":
    case "rar":
    case "7z":
    case "bz2":
    case "xz":
    case "zst":
      return "packed";
    default:
      return undefined;
  }
}

const workbookNames: ReadonlySet<string> = new Set(["xlsx", "xlsm", "xltx", "xltm"]);

type Refuse = (what: Refused) => DetectedFormat;

/** Names of the first entries tell a workbook from other archives. */
function detectZip(bytes: Uint8Array, extension: string, refuse: Refuse): DetectedFormat {
  const text = latin1(bytes);
  const [first = ""] = entryNames(text);
  if (first === "mimetype") return refuse(text.includes("opendocument.spreadsheet") || extension === "ods" ? "ods" : "document");
  const names = [...entryNames(text)];
  const holds = (pattern: RegExp) => names.some((name) => pattern.test(name));
  if (extension === "xlsb" || holds(/^xl\/workbook\.bin$/i)) return refuse("xlsb");
  if (extension === "ods") return refuse("ods");
  if (extension === "kmz") return refuse("kml");
  if (workbookNames.has(extension) || holds(/^xl\//i)) return { format: "xlsx" };
  if (["docx", "pptx", "odt", "odp"].includes(extension) || (first === "[Content_Types].xml" && holds(/^(?:word|ppt)\//i)))
    return refuse("document");
  // A workbook of a wrong name, with none of its sheets among the first bytes.
  return first === "[Content_Types].xml" && extension !== "zip" ? { format: "xlsx" } : { format: "zip" };
}

/** The names in the headers of those entries that stand within the first bytes. */
function* entryNames(text: string): Generator<string> {
  for (let at = text.indexOf("PK\u0003\u0004"); at !== -1; at = text.indexOf("PK\u0003\u0004", at + 4)) {
    const length = text.charCodeAt(at + 26) + 256 * text.charCodeAt(at + 27);
    if (length > 0) yield text.slice(at + 30, at + 30 + length);
  }
}

/** The container of Office 97 and of passworded files of later versions; its directory names the parts. */
function compoundFile(bytes: Uint8Array, extension: string): Refused {
  const text = latin1(bytes);
  const holds = (part: string) => text.includes(Array.from(part).join("\u0000"));
  if (holds("EncryptedPackage")) return "encrypted";
  if (holds("Workbook") || holds("Book")) return "xls";
  if (holds("WordDocument") || holds("PowerPoint")) return "document";
  if (workbookNames.has(extension) || extension === "xlsb") return "encrypted";
  return extension.startsWith("xl") ? "xls" : "document";
}

function detectText(text: string, extension: string, refuse: Refuse): DetectedFormat {
  const start = text.trimStart();
  if (
    /^<(?:\?xml|!--|!doctype|html|head|body|table|meta|kml|workbook|style|div)\b/i.test(start) ||
    (start.startsWith("<") && extension === "xml")
  )
    return refuse(markup(start));
  switch (extension) {
    case "kml":
      return refuse("kml");
    case "csv":
      return { format: "csv" };
    case "tsv":
    case "tab":
      return { format: "tsv" };
    case "geojson":
      return { format: "geojson" };
    case "jsonl":
    case "ndjson":
    case "geojsonl":
    case "geojsons":
      return { format: "json-lines" };
    case "json":
      return { format: jsonForm(start) ?? "json" };
    default: {
      const refused = text === "" ? named(extension) : undefined;
      return refused === undefined ? { format: jsonForm(start) ?? "csv" } : refuse(refused);
    }
  }
}

function markup(start: string): Refused {
  if (/<kml\b/i.test(start)) return "kml";
  if (/<(?:ss:)?workbook\b/i.test(start)) return "xmlWorkbook";
  return /<(?:!doctype html|html|head|body|table|div)\b/i.test(start) ? "html" : "xml";
}

/** Undefined for text that is no JSON. */
function jsonForm(start: string): "json" | "json-lines" | "geojson" | undefined {
  const body = start.startsWith("\u001e") ? start.slice(1).trimStart() : start;
  if (!/^(?:\{\s*["}]|\[\s*(?:[[{"\]0-9-]|true|false|null|$))/.test(body)) return undefined;
  if (/^\{\s*\}?$/.test(body)) return "json";
  const [first = "", second = ""] = body
    .replaceAll("\u001e", "")
    .split(/\n+/, 2)
    .map((line) => line.trim());
  const isLines = start !== body || (first.endsWith("}") && second.startsWith("{"));
  if (isLines) return "json-lines";
  return /"type"\s*:\s*"FeatureCollection"/.test(body.slice(0, 4_096)) ? "geojson" : "json";
}

/** The ASCII letters of a text; other bytes stand for something else. Undefined for bytes that are no text in any encoding. */
function textOf(bytes: Uint8Array): string | undefined {
  const text = latin1(bytes).replace(/^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/, "");
  const zeros = [0, 0];
  for (const [index, byte] of bytes.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  // Zeros at every other byte are Latin letters of UTF-16, and single ones are flaws of a text.
  const isWide = Math.max(even, odd) > bytes.length * 0.2 && Math.min(even, odd) < bytes.length * 0.05;
  const isMarked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return isWide || isMarked || even + odd <= bytes.length / 1_000 ? text.replaceAll("\0", "") : undefined;
}

function startsWith(bytes: Uint8Array, mark: string): boolean {
  return bytes.length >= mark.length && latin1(bytes.subarray(0, mark.length)) === mark;
}

function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return text;
}
