import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { ColumnReading, Reading, ReadingChoices, ReadingHints, StoredReading } from "@fairway/contract/readings";
import type { SourceReading } from "#query/engine.ts";
import { afterAll, beforeAll } from "vitest";
import { type EngineBench, datasetOver, engineBench, rowsOf } from "./test-files.ts";

/** Facts that tests find out about a file that they have written. */
export interface ReadFile extends SourceReading {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** By name. */
  readonly columns: ReadonlyMap<string, ColumnReading>;
}

interface Options {
  readonly format?: "csv" | "json" | "xlsx";
  readonly choices?: ReadingChoices;
  readonly hints?: ReadingHints;
  readonly stored?: StoredReading;
}

const call = { signal: new AbortController().signal, owner: "tests" };
let files = 0;

/** Writes a file and reads it as a dataset with the types that are found. */
async function readText(
  bench: EngineBench,
  content: string | Buffer,
  { format = "csv", choices, hints, stored }: Options = {},
): Promise<ReadFile> {
  files += 1;
  const name = `file-${files}.${format}`;
  await writeFile(path.join(bench.folder, name), content);
  const source = { kind: "files" as const, glob: name, format, choices, hints, reading: stored };
  const found = await bench.engine.reading(source, call);
  if (found === null) throw new Error("a text file has a reading");
  const types = Object.fromEntries(found.reading.columns.map(({ name: column, type }) => [column, type]));
  const dataset = { ...datasetOver(name, types, { format }), source };
  const query = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 100_000 };
  const rows = await rowsOf(await bench.engine.search(dataset, query, call));
  return { ...found, rows, columns: new Map(found.reading.columns.map((column) => [column.name, column])) };
}

/** An engine for the tests of a file, and readers of files that they write for it. */
export function readingBench() {
  let bench: EngineBench | undefined;
  beforeAll(async () => {
    bench = await engineBench();
  });
  afterAll(() => bench?.close());
  const opened = (): EngineBench => {
    if (bench === undefined) throw new Error("the engine opens before the first test");
    return bench;
  };
  type Read = (content: string | Buffer, options?: Omit<Options, "format">) => Promise<ReadFile>;
  const csv: Read = (content, options) => readText(opened(), content, { ...options, format: "csv" });
  const json: Read = (content, options) => readText(opened(), content, { ...options, format: "json" });
  const xlsx: Read = (content, options) => readText(opened(), content, { ...options, format: "xlsx" });
  return { bench: opened, csv, json, xlsx, read: (content: string | Buffer, options: Options) => readText(opened(), content, options) };
}

/** The values of a column. */
export const valuesOf = ({ rows }: ReadFile, name: string): unknown[] => rows.map((row) => row[name]);

export const linesOf = (...lines: readonly string[]): string => `${lines.join("\n")}\n`;

/** Whether the report says that this column could be read otherwise. */
export const isReported = (reading: Reading, column: string): boolean =>
  reading.columns.some(({ name, state }) => name === column && state !== "sure") ||
  reading.files.some(({ encodingState }) => encodingState !== "sure");
