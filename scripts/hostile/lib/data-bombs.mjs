// @ts-check
import { createWriteStream } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

const fromGateway = createRequire(new URL("../../../gateway/package.json", import.meta.url));
const { DuckDBInstance } = /** @type {typeof import("@duckdb/node-api")} */ (fromGateway("@duckdb/node-api"));
const yazl = /** @type {typeof import("yazl")} */ (fromGateway("yazl"));

const chunkCharacters = 1_000_000;

/** A text that repeats a piece, with a beginning and an end. @param {string} piece @param {number} times */
function* repeated(piece, times, start = "", end = "") {
  yield start;
  const perChunk = Math.max(1, Math.floor(chunkCharacters / piece.length));
  const chunk = piece.repeat(perChunk);
  for (let left = times; left > 0; left -= perChunk) yield left < perChunk ? piece.repeat(left) : chunk;
  yield end;
}

/** @param {string} file @param {Iterable<string>} text */
const write = (file, text) => pipeline(Readable.from(text, { objectMode: false }), createWriteStream(file));

/** @param {string} file @param {Iterable<string>} text */
const gzip = (file, text) => pipeline(Readable.from(text, { objectMode: false }), createGzip({ level: 1 }), createWriteStream(file));

/** @param {string} file @param {Record<string, Iterable<string>>} parts */
async function zip(file, parts) {
  const archive = new yazl.ZipFile();
  for (const [name, text] of Object.entries(parts)) archive.addReadStream(Readable.from(text, { objectMode: false }), name);
  archive.end();
  await pipeline(archive.outputStream, createWriteStream(file));
}

const relationship = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const relations = (/** @type {string[][]} */ list) =>
  `<Relationships>${list.map(([id, type, target]) => `<Relationship Id="${id}" Type="${relationship}/${type}" Target="${target}"/>`).join("")}</Relationships>`;

/** @param {string} file @param {{ sheet?: Iterable<string>, texts?: Iterable<string>, styles?: Iterable<string> }} parts */
function workbook(
  file,
  { sheet = ['<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>'], texts, styles },
) {
  return zip(file, {
    "_rels/.rels": [relations([["r1", "officeDocument", "xl/workbook.xml"]])],
    "xl/workbook.xml": [`<workbook xmlns:r="${relationship}"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>`],
    "xl/_rels/workbook.xml.rels": [
      relations([
        ["r1", "worksheet", "worksheets/sheet1.xml"],
        ["r2", "sharedStrings", "sharedStrings.xml"],
        ["r3", "styles", "styles.xml"],
      ]),
    ],
    "xl/worksheets/sheet1.xml": sheet,
    "xl/sharedStrings.xml": texts ?? ["<sst></sst>"],
    "xl/styles.xml": styles ?? ["<styleSheet></styleSheet>"],
  });
}

/** @param {string} sql with FILE for the new file */
const parquet = (sql) => async (/** @type {string} */ file) => {
  const instance = await DuckDBInstance.create(":memory:", { memory_limit: "3GB", threads: "1" });
  const connection = await instance.connect();
  await connection.run(sql.replaceAll("FILE", file));
  connection.closeSync();
  instance.closeSync();
};

const nestedType = (/** @type {number} */ depth) => `${"{'a': ".repeat(depth)}1${"}".repeat(depth)}`;
/** Files that need far more memory, time or room than their size tells, by name. @type {Record<string, (file: string) => Promise<unknown>>} */
export const dataBombs = {
  "rows.parquet": parquet("copy (select 0 as n from range(300000000)) to 'FILE' (format parquet, compression zstd)"),
  "wide.parquet": parquet(`copy (select ${Array.from({ length: 5_000 }, (_, n) => `${n} as c${n}`).join()}) to 'FILE' (format parquet)`),
  "nested.parquet": parquet(`copy (select ${nestedType(60)} as n) to 'FILE' (format parquet)`),
  "empty-texts.xlsx": (file) => workbook(file, { texts: repeated("<si/>", 150_000_000, "<sst>", "</sst>") }),
  "zeros.csv.gz": (file) => gzip(file, repeated("0,0\n", 250_000_000, "a,b\n")),
  "many.zip": (file) => zip(file, Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`${n}.csv`, ["a\n1\n"]]))),
  "deep.json": (file) => write(file, repeated("[", 100_000_000)),
  "deep-objects.json": (file) => write(file, repeated('{"a":', 20_000_000)),
  "long-name.json": (file) => write(file, repeated("x", 300_000_000, '[{"', '":1}]')),
  "many-names.json": (file) => write(file, names(300_000)),
};

/** @param {number} count */
function* names(count) {
  yield "[";
  for (let n = 0; n < count; n += 1) yield `${n === 0 ? "" : ","}{"name${n}":${n}}`;
  yield "]";
}

/** @param {string} folder @param {string} name @returns {Promise<string>} the file */
export async function makeBomb(folder, name) {
  const file = join(folder, name);
  await dataBombs[name]?.(file);
  return file;
}
