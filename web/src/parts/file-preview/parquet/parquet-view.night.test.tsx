import "#testing/css-locator.ts";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { openPreview, previewFile } from "#testing/preview-harness.tsx";
import { serveFiles } from "#testing/served-files.ts";
import brotli from "#testing/parquet/types-brotli.parquet?inline";
import gzip from "#testing/parquet/types-gzip.parquet?inline";
import lz4 from "#testing/parquet/types-lz4_raw.parquet?inline";
import snappy from "#testing/parquet/types-snappy.parquet?inline";
import zstd from "#testing/parquet/types-zstd.parquet?inline";
import { readParquet } from "./parquet-rows.ts";

const bytesOf = (dataUrl: string) => Uint8Array.from(atob(dataUrl.slice(dataUrl.indexOf(",") + 1)), (character) => character.charCodeAt(0));
const read = (bytes: Uint8Array<ArrayBuffer>) =>
  readParquet({ byteLength: bytes.length, slice: (start, end) => Promise.resolve(bytes.buffer.slice(start, end)) });
const button = (name: string) => page.getByRole("button", { name, exact: true });

/** Written by DuckDB: one row for each number from 0 to 4, here the second. */
const second: Readonly<Record<string, readonly [type: string, text: string]>> = {
  big: ["int64", "9007199254740993"],
  tiny: ["uint8", "1"],
  ubig: ["uint64", "18446744073709551615"],
  huge: ["double", "1.7014118346046923e+38"],
  price: ["decimal(18,3)", "1.005"],
  exact: ["decimal(38,20)", "-1.00000000000000000001"],
  day: ["date", "2005-08-24"],
  ts: ["timestamp", "2005-08-23T18:00:00.123456"],
  tz: ["timestamp", "2005-08-23T18:00:00Z"],
  ns: ["timestamp", "2005-08-23T18:00:00.123456789"],
  t: ["time", "18:00:00.5"],
  f: ["float", "0.1"],
  d: ["double", "0.1"],
  nan: ["double", "NaN"],
  even: ["boolean", "false"],
  name: ["string", "Storm 1"],
  raw: ["binary", "0xff00"],
  list: ["list<int64>", "[1,null]"],
  lists: ["list", '[["a"],null,[]]'],
  storm: ["struct", '{"wind":1,"tags":["x"],"big":"9007199254740993"}'],
  m: ["map", '{"a":1,"b":2}'],
  id: ["uuid", "123e4567-e89b-12d3-a456-426614174000"],
  iv: ["interval", "3 months 0 days 0 ms"],
  js: ["json", '{"a":1}'],
  en: ["string", "x"],
  nothing: ["int32", ""],
};

it.each([
  ["snappy", snappy],
  ["zstd", zstd],
  ["gzip", gzip],
  ["brotli", brotli],
  ["lz4", lz4],
])("reads every type that DuckDB writes, compressed by %s, without changing a digit", async (_codec, file) => {
  const table = await read(bytesOf(file));
  expect(table.unread).toEqual([]);
  expect(table.totalRows).toBe(5);
  expect(Object.fromEntries(table.columns.map(({ name, type }, index) => [name, [type, table.rows[1]?.[index]]]))).toEqual(second);
  expect(table.rows[0]?.[table.columns.findIndex(({ name }) => name === "name")]).toBe("");
});

it("shows columns with their types and the first rows, read by ranges in a worker", async () => {
  const bytes = bytesOf(zstd);
  const served = serveFiles({ "types.parquet": bytes });
  openPreview([previewFile("types.parquet", bytes.length)]);
  await button("Preview anyway").click();
  await expect.element(page.getByText("5 rows, 26 columns")).toBeVisible();
  const head = page.getByRole("columnheader", { name: "big int64" });
  await expect.element(head).toBeVisible();
  await head.getByRole("button").click();
  await head.getByRole("button").click();
  await expect.element(page.getByRole("row").nth(1)).toHaveTextContent("536028797018963972");
  await page.getByRole("textbox", { name: "Find in file" }).fill("storm 4");
  await expect.element(page.getByRole("search").getByRole("status")).toHaveTextContent("1 of 1");
  await expectAccessible();
  expect(served.requests.every(({ range }) => range !== null)).toBe(true);
});

it("reports hostile files without laying out what they claim", async () => {
  const bytes = bytesOf(zstd);
  const length = bytes.length;
  const altered = (alter: (view: DataView) => void) => {
    const copy = bytes.slice();
    alter(new DataView(copy.buffer));
    return copy;
  };
  const files = {
    "cut.parquet": bytes.slice(0, length - 100),
    "short.parquet": bytes.slice(0, 3),
    "long-footer.parquet": altered((view) => view.setUint32(length - 8, 0xfffffff0, true)),
    "wrong-footer.parquet": altered((view) => view.setUint32(length - 8, 40, true)),
    "empty-footer.parquet": altered((view) => view.setUint32(length - 8, 0, true)),
  };
  for (const file of Object.values(files)) await expect(read(file)).rejects.toBeInstanceOf(Error);
  // Every other byte of the footer and of the first pages, each in its own file.
  const footerStart = length - 8 - new DataView(bytes.buffer).getUint32(length - 8, true);
  for (let at = 4; at < length - 8; at += at < 300 || at > footerStart ? 7 : 500) {
    const file = altered((view) => view.setUint8(at, 0xff));
    const table = await read(file).catch((error: unknown) => error);
    expect(table instanceof Error || typeof table === "object").toBe(true);
  }
  serveFiles(files);
  openPreview([previewFile("long-footer.parquet", length)]);
  await button("Preview anyway").click();
  await expect
    .element(page.getByRole("alert"))
    .toHaveTextContent("The Parquet file cannot be shown: its footer would be longer than the file.");
});
