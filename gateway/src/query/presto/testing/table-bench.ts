import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { defaultLimits } from "@fairway/contract/limits";
import { AddressPolicy } from "#outbound/address-policy.ts";
import type { DatasetSource } from "#query/engine.ts";
import { openStatementServer } from "../client/statement-server.ts";
import { PrestoEngine } from "../engine.ts";
import type { PrestoOptions } from "../server.ts";

/** For tests: an engine on a real server, and tables of its own in the server's memory. */
export interface TableBench {
  readonly engine: PrestoEngine;
  readonly exportFolder: string;
  readonly absent: DatasetSource;
  /** Runs a statement; `TABLES.` stands for the schema of the tables. */
  prepare(statement: string): Promise<void>;
  /** Stores the rows of a SELECT. */
  store(name: string, select: string): Promise<DatasetSource>;
  /** A table of the catalog `hive` over Parquet files that exist; `partition`: its last column, by which the files are in folders. */
  register(name: string, columns: string, location: string, partition?: string): Promise<DatasetSource>;
  close(): Promise<void>;
}

/** The server at `url` needs the catalog `memory`. */
export async function tableBench(url: string, options: Partial<PrestoOptions> = {}): Promise<TableBench> {
  const log = { warn: () => {} };
  const settings = { url, source: "fairway tests", user: "fairway", asUser: false, addresses: new AddressPolicy(["127.0.0.1"]), log };
  const server = openStatementServer(settings);
  const exportFolder = await mkdtemp(path.join(tmpdir(), "fairway-tables-"));
  const engine = new PrestoEngine({
    server,
    exportFolder,
    limits: { ...defaultLimits, engineSlots: 8, engineSlotsPerUser: 7, queryTimeoutMs: 300_000 },
    log,
    ...options,
  });
  const schema = `fairway_${randomUUID().replaceAll("-", "")}`;
  /** By catalog; each has a schema of this name. */
  const tables = new Map<string, string[]>();
  const prepare = async (statement: string) => {
    const call = { signal: new AbortController().signal, user: undefined, timeoutMs: 120_000 };
    const { pages } = await server.run({ sql: statement.replaceAll("TABLES.", `memory.${schema}.`), parameters: [] }, call);
    // Statements run while their pages are read.
    for await (const page of pages) void page;
  };
  const addSchema = async (catalog: string) => {
    if (tables.has(catalog)) return;
    tables.set(catalog, []);
    await prepare(`create schema ${catalog}.${schema}`);
  };
  const added = (catalog: string, name: string): DatasetSource => {
    tables.get(catalog)?.push(name);
    return { kind: "table", name: `${catalog}.${schema}.${name}` };
  };
  await addSchema("memory");
  return {
    engine,
    exportFolder,
    prepare,
    absent: { kind: "table", name: `memory.${schema}.absent` },
    store: async (name, select) => {
      await prepare(`create table TABLES.${name} as ${select}`);
      return added("memory", name);
    },
    register: async (id, columns, location, partition) => {
      const name = id.replaceAll("-", "_");
      await addSchema("hive");
      const partitioned = partition === undefined ? "" : `, partitioned_by = array['${partition}']`;
      await prepare(
        `create table hive.${schema}.${name} (${columns}) with (format = 'PARQUET', external_location = '${location}'${partitioned})`,
      );
      if (partition !== undefined) await prepare(`call hive.system.sync_partition_metadata('${schema}', '${name}', 'FULL')`);
      return added("hive", name);
    },
    close: async () => {
      for (const [catalog, names] of tables) {
        for (const name of names) await prepare(`drop table ${catalog}.${schema}.${name}`);
        await prepare(`drop schema ${catalog}.${schema}`);
      }
      await engine.close();
      await rm(exportFolder, { recursive: true, force: true });
    },
  };
}
