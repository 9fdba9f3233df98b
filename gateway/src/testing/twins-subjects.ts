import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import * as sheetJs from "@e965/xlsx";
import { storedOrderKey } from "#query/duckdb/parquet-source.ts";
import { tableBench } from "#query/presto/testing/table-bench.ts";
import { demoGateway } from "./demo-gateway.ts";
import { FakeS3 } from "./fake-s3.ts";
import type { TwinsRows } from "./twins-data.ts";
import { type TwinsSubject, twinsContent } from "./twins-suite.ts";

type FileFormat = "parquet" | "csv" | "json" | "xlsx";

/** How the rows of a dataset are stored in files. */
interface Layout {
  readonly format: FileFormat;
  /** Of the files, below the dataset's folder. */
  readonly glob: string;
  readonly write: (folder: string, rows: TwinsRows) => Promise<void>;
}

const newestFirst = JSON.stringify([{ column: "at", direction: "desc" }]);

const oneFile = (format: FileFormat, options: string): Layout => ({
  format,
  glob: `*.${format}`,
  write: (folder, { select }) => copied(select, join(folder, `rows.${format}`), options),
});

/** A folder for each region and month, or one file without rows: folders hold at least one. */
const inFolders = (format: FileFormat, options: string): Layout => ({
  format,
  glob: `**/*.${format}`,
  write: async (folder, { select, isEmpty }) => {
    if (isEmpty) return copied(select, join(folder, "region=north", "month=1", `rows.${format}`), options);
    await copied(`select *, month("at") as month from (${select})`, folder, `${options}, partition_by (region, month)`);
  },
});

export const fileLayouts = {
  parquet: oneFile("parquet", `format parquet, kv_metadata {${storedOrderKey}: '${newestFirst}'}`),
  partitions: inFolders("parquet", "format parquet"),
  csv: oneFile("csv", "format csv"),
  csvFolders: inFolders("csv", "format csv, write_partition_columns true"),
  jsonLines: oneFile("json", "format json"),
  jsonArray: oneFile("json", "format json, array true"),
  workbook: {
    format: "xlsx",
    glob: "*.xlsx",
    write: async (folder, { select }) => {
      const book = sheetJs.utils.book_new();
      sheetJs.utils.book_append_sheet(book, sheetJs.utils.aoa_to_sheet(await cellsOf(select)), "Wards");
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, "rows.xlsx"), sheetJs.write(book, { type: "buffer", bookType: "xlsx" }) as Buffer);
    },
  },
} satisfies Record<string, Layout>;

/** Without any row, text tells no types, and JSON no columns: then the same data is in Parquet. */
const layoutOf = (layout: Layout, { isEmpty }: TwinsRows): Layout =>
  isEmpty && layout.format !== "parquet" ? fileLayouts.parquet : layout;

/** A portal whose datasets are files in its folder. */
export async function filesSubject(layout: Layout): Promise<TwinsSubject> {
  const home = await mkdtemp(join(tmpdir(), "fairway-twins-"));
  const gateway = await demoGateway({ FAIRWAY_HOME: home }, twinsContent);
  return {
    gateway,
    store: async (name, rows) => {
      const { format, glob, write } = layoutOf(layout, rows);
      await write(join(home, "datasets", "wards", name), rows);
      return { kind: "files", format, glob: `wards/${name}/${glob}` };
    },
    close: async () => {
      await gateway.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** A portal whose datasets are files in a bucket. */
export async function bucketSubject(layout: Layout): Promise<TwinsSubject> {
  const [s3, folder] = await Promise.all([FakeS3.start(), mkdtemp(join(tmpdir(), "fairway-twins-"))]);
  const gateway = await demoGateway(
    { FAIRWAY_S3_ACCESS_KEY_ID: "key", FAIRWAY_S3_SECRET_ACCESS_KEY: "secret", FAIRWAY_S3_DATASET_BUCKETS: "lake" },
    twinsContent,
  );
  return {
    gateway,
    configuration: { s3URL: s3.address.url },
    store: async (name, rows) => {
      const { format, glob, write } = layoutOf(layout, rows);
      await write(join(folder, name), rows);
      for (const entry of await readdir(join(folder, name), { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        if (entry.isFile()) s3.put("lake", relative(folder, path), await readFile(path));
      }
      return { kind: "files", format, glob: `s3://lake/${name}/${glob}` };
    },
    close: async () => {
      await gateway.close();
      await s3.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A portal whose datasets are tables in the memory of a server. */
export async function tablesSubject(url: string): Promise<TwinsSubject> {
  const tables = await tableBench(url);
  // Else a busy server answers some requests in time, and others not.
  const settings = { limits: { suggestionTimeoutMs: 60_000 } };
  const gateway = await demoGateway({ FAIRWAY_PRESTO_USER: "fairway", FAIRWAY_SETTINGS: JSON.stringify(settings) }, twinsContent);
  return {
    gateway,
    configuration: { prestoURL: url },
    store: (name, { select }) => tables.store(name.replaceAll("-", "_"), select) as ReturnType<TwinsSubject["store"]>,
    close: async () => {
      await gateway.close();
      await tables.close();
    },
  };
}

async function copied(select: string, path: string, options: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await withDuckDb((connection) => connection.run(`copy (${select}) to '${path}' (${options})`));
}

/** A header and the cells of each row. */
const cellsOf = (select: string): Promise<unknown[][]> =>
  withDuckDb(async (connection) => {
    const found = await connection.runAndReadAll(select);
    return [found.columnNames(), ...found.getRowsJS()];
  });

type Connection = Awaited<ReturnType<DuckDBInstance["connect"]>>;

async function withDuckDb<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
  const instance = await DuckDBInstance.create(":memory:");
  try {
    const connection = await instance.connect();
    const result = await work(connection);
    connection.closeSync();
    return result;
  } finally {
    instance.closeSync();
  }
}
