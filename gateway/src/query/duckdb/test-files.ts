import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { defaultLimits } from "@fairway/contract/limits";
import type { ColumnType } from "@fairway/contract/columns";
import type { FileFormat, QueryableDataset, RowStream } from "#query/engine.ts";
import { type DuckDbEngine, type DuckDbOptions, openDuckDb } from "./engine.ts";
import { Scope } from "#query/scope.ts";

/** For tests: an engine over its own folder, and a way to create data files there. */
export interface EngineBench {
  readonly engine: DuckDbEngine;
  readonly folder: string;
  /** Folder of exports. */
  readonly exportFolder: string;
  /** Runs a statement on an unrestricted engine; `FOLDER/` stands for the data folder. */
  prepare(statement: string): Promise<void>;
  close(): Promise<void>;
}

export async function engineBench(options: Partial<DuckDbOptions> = {}): Promise<EngineBench> {
  const root = await mkdtemp(path.join(tmpdir(), "fairway-engine-"));
  const folder = path.join(root, "datasets");
  const exportFolder = path.join(root, "exports");
  const engine = await openDuckDb({
    dataFolder: folder,
    tempFolder: path.join(root, "spill"),
    copyFolder: path.join(root, "converted"),
    exportFolder,
    limits: defaultLimits,
    log: { warn: () => {} },
    ...options,
  });
  return {
    engine,
    folder,
    exportFolder,
    prepare: async (statement) => {
      const instance = await DuckDBInstance.create(":memory:");
      const connection = await instance.connect();
      await connection.run(statement.replaceAll("FOLDER/", `${folder}/`));
      connection.closeSync();
      instance.closeSync();
    },
    close: async () => {
      await engine.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** A dataset over files of the bench, with default values. */
export function datasetOver(
  glob: string,
  columns: Readonly<Record<string, ColumnType>>,
  overrides: Partial<QueryableDataset> & { format?: FileFormat } = {},
): QueryableDataset {
  const { format = "parquet", ...rest } = overrides;
  return {
    category: "tests",
    id: "rows",
    source: { kind: "files", glob, format },
    columns: Object.entries(columns).map(([name, type]) => ({ name, type })),
    temporalField: null,
    location: null,
    orderBy: [],
    scope: Scope.whole,
    ownConditions: [],
    features: new Set(["SAMPLE", "PAGINATION", "COUNT"]),
    ...rest,
  };
}

/** The parsed rows of a stream. */
export async function rowsOf(stream: RowStream): Promise<Record<string, unknown>[]> {
  let text = "";
  for await (const chunk of stream.chunks) text += chunk;
  return JSON.parse(`[${text}]`) as Record<string, unknown>[];
}
