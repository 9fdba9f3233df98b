import type { FileMetaData, SchemaElement } from "hyparquet";
import { expect, it } from "vitest";
import { checkPages } from "./parquet-rows.ts";
import { columnsOf } from "./parquet-schema.ts";

const metadataOf = (schema: SchemaElement[]): FileMetaData => ({ version: 1, schema, num_rows: 0n, row_groups: [], metadata_length: 0 });
const leaf: SchemaElement = { name: "a", type: "INT32", repetition_type: "REQUIRED" };

it("takes the first of a million columns", () => {
  const schema = [{ name: "root", num_children: 1_000_000 }, ...Array.from({ length: 1_000_000 }, () => leaf)];
  const { columns, total } = columnsOf(metadataOf(schema), 1_000);
  expect(total).toBe(1_000_000);
  expect(columns).toHaveLength(1_000);
  expect(columns.at(-1)).toMatchObject({ type: "int32", firstChunk: 999, chunks: 1 });
});

it("does not recurse into columns of any depth, and refuses columns that are not there", () => {
  const nested = Array.from({ length: 200_000 }, (): SchemaElement => ({ name: "n", num_children: 1 }));
  const deep = columnsOf(metadataOf([{ name: "root", num_children: 1 }, ...nested, leaf]), 10);
  expect(deep.columns).toMatchObject([{ type: "struct", chunks: 1 }]);
  for (const schema of [
    [{ name: "root", num_children: 2 }, leaf],
    [{ name: "root", num_children: 1 }, { name: "n", num_children: 3 }, leaf],
  ]) {
    expect(() => columnsOf(metadataOf(schema), 10)).toThrow("it has fewer columns than it declares");
  }
});

const varint = (value: number): number[] => (value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]);
/** The head of a data page: fields of the compact protocol, numbers in zigzag. */
const page = ({ unpacked = 10, packed = 0, values = 1 }) => {
  const number = (value: number) => [0x15, ...varint(value >= 0 ? value * 2 : -value * 2 - 1)];
  return new Uint8Array([...number(0), ...number(unpacked), ...number(packed), 0x2c, ...number(values), 0, 0]).buffer;
};

it("refuses pages that claim more than memory holds", () => {
  expect(() => checkPages(page({}))).not.toThrow();
  expect(() => checkPages(page({ values: 2_000_000_000 }))).toThrow("too large");
  expect(() => checkPages(page({ unpacked: 2_000_000_000 }))).toThrow("too large");
  expect(() => checkPages(page({ packed: -40 }))).toThrow("damaged");
});
