import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBConnection, DuckDBPreparedStatement } from "@duckdb/node-api";
import { defaultLimits } from "@fairway/contract/limits";
import { internalDatasets } from "#entities/entity-types.ts";
import { searchService } from "#capabilities/search/service.ts";
import { openedEngine } from "#query/engines.ts";
import type { ServerKind, StatementServer } from "#query/presto/client/statements.ts";
import { PrestoEngine } from "#query/presto/engine.ts";
import { type DatasetApp, buildFilter, buildFilterSupport, datasetApp } from "./dataset-app.ts";
import { engineCall } from "./engine-call.ts";
import { someUser } from "./some-user.ts";
import { type TwinsRequest, arrow, furtherCases, walkedCases } from "./twins-cases.ts";
import { ruled, twinsDatasets } from "./twins-data.ts";

/** Statements of each request, in the order of their texts, with their parameters. */
export type KeptStatements = Readonly<Record<string, readonly string[]>>;

const exportFormats = ["csv", "json", "parquet", "arrow", "xlsx"] as const;

/** Statements that DuckDB gets for requests to datasets without rules. */
export async function statementsOfFiles(): Promise<KeptStatements> {
  const app = await datasetApp();
  const sent: string[] = [];
  const stop = listen(sent, app.bench.folder);
  try {
    await addDatasets(app, async (name, select) => {
      await mkdir(join(app.bench.folder, "wards"), { recursive: true });
      await app.bench.prepare(`copy (${select}) to 'FOLDER/wards/${name}.parquet' (format parquet)`);
      return { kind: "files", format: "parquet", glob: `wards/${name}.parquet` };
    });
    return await statementsOf(app, sent, app.bench.exportFolder);
  } finally {
    stop();
    await app.close();
  }
}

/** Statements that a server of tables gets for the same requests. It answers that there are no rows. */
export async function statementsOfTables(kind: ServerKind): Promise<KeptStatements> {
  const sent: string[] = [];
  const types = { id: "bigint", name: "varchar", region: "varchar", at: "timestamp(3)", lat: "double", lng: "double", size: "bigint" };
  const columns = Object.entries({ ...types, quagga: "varchar", amount: "bigint" }).map(([name, type]) => [name, type, "", ""]);
  const server: StatementServer = {
    kind: () => Promise.resolve(kind),
    run: ({ sql, parameters }) => {
      sent.push(shown(sql, parameters));
      async function* pages() {
        yield sql.startsWith("describe") ? columns : [];
      }
      return Promise.resolve({ queryId: "q1", columns: [], pages: pages() });
    },
    close: () => Promise.resolve(),
  };
  const folder = await mkdtemp(join(tmpdir(), "fairway-statements-"));
  const log = { warn: () => undefined };
  const engine = new PrestoEngine({ server, exportFolder: folder, limits: defaultLimits, log });
  const app = await datasetApp({ tables: openedEngine(engine) });
  try {
    await addDatasets(app, (name) => Promise.resolve({ kind: "table", name: `lake.wards.${name.replaceAll("-", "_")}` }));
    return await statementsOf(app, sent, folder);
  } finally {
    await app.close();
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  }
}

type Source = Awaited<ReturnType<typeof twinsDatasets>>[number]["source"];

async function addDatasets({ entities }: DatasetApp, store: (name: string, select: string) => Promise<Source>): Promise<void> {
  const preFilledFilters = [buildFilter("name", { operator: "<>", value: "n6", preFilled: true })];
  for (const { access, ...dataset } of await twinsDatasets((name, { select }) => store(name, select))) {
    const narrowed = access ? { filterSupport: buildFilterSupport({ ...dataset.filterSupport, preFilledFilters }) } : {};
    await entities.create(internalDatasets, { ...dataset, ...narrowed }, { enabled: true });
  }
}

async function statementsOf(app: DatasetApp, sent: string[], exportFolder: string): Promise<KeptStatements> {
  const kept: Record<string, string[]> = {};
  const keep = async (name: string, ask: () => Promise<unknown>) => {
    sent.length = 0;
    await ask();
    if (sent.length > 0) kept[name] = sent.toSorted();
  };
  // Statements that are made only once for each dataset, such as that of its columns.
  for (const id of ["ward-a", "ward-b", "ward-c"]) {
    await keep(`first look at ${id}`, () => app.call([], "GET", `/datasets/wards/${id}/describe`));
    await keep(`first rows of ${id}`, () => app.call([], "POST", `/datasets/wards/${id}/search`, { filters: [] }));
  }
  for (const [name, caseOf] of Object.entries({ ...walkedCases(), ...furtherCases })) {
    const { method, path, body, accept }: TwinsRequest = caseOf(ruled);
    if (!path.startsWith("/datasets/wards/") || (method !== "GET" && method !== "POST")) continue;
    await keep(name, () => app.call([], method, path, body, accept === arrow ? accept : undefined));
  }
  const searches = searchService({ datasets: app.service, limits: defaultLimits });
  const path = { category: ruled.datasetCategory, datasetId: ruled.datasetId };
  for (const format of exportFormats) {
    const data = { filters: [{ name: "size", operator: ">=" as const, value: 3 }] };
    const file = join(exportFolder, `all.${format}`);
    await mkdir(exportFolder, { recursive: true });
    await keep(`export as ${format}`, () =>
      searches.prepare(someUser(), path, data, async ({ engine, queryable, query }) => {
        const csvColumns = queryable.columns.map(({ name, type }) => ({ name, type, description: "", combined: null }));
        await engine.export?.(
          queryable,
          { ...query, limit: 1_000 },
          { format, path: file, csvColumns, onRows: () => undefined },
          engineCall(),
        );
      }),
    );
  }
  return kept;
}

/** Records what DuckDB is sent until the returned function is called. */
function listen(sent: string[], folder: string): () => void {
  const connections = DuckDBConnection.prototype;
  const statements = DuckDBPreparedStatement.prototype;
  const prepare = Reflect.get(connections, "prepare");
  const texts = new WeakMap<DuckDBPreparedStatement, { sql: string; parameters: unknown[]; at: number }>();
  const home = new RegExp(`[^'"]*${folder.split("/").at(-2) ?? ""}`, "g");
  async function listening(this: DuckDBConnection, sql: string): Promise<DuckDBPreparedStatement> {
    const prepared = await prepare.call(this, sql);
    const text = sql.replaceAll(home, "HOME");
    texts.set(prepared, { sql: text, parameters: [], at: sent.push(text) - 1 });
    return prepared;
  }
  Reflect.set(connections, "prepare", listening);
  const bindings = ["bindBigInt", "bindHugeInt", "bindDouble", "bindVarchar", "bindBoolean"].map((name) => {
    const bind = Reflect.get(statements, name) as (this: DuckDBPreparedStatement, index: number, value: unknown) => void;
    function listeningBind(this: DuckDBPreparedStatement, index: number, value: unknown): void {
      const found = texts.get(this);
      if (found) {
        found.parameters.push(value);
        sent[found.at] = shown(found.sql, found.parameters);
      }
      bind.call(this, index, value);
    }
    Reflect.set(statements, name, listeningBind);
    return [name, bind] as const;
  });
  return () => {
    Reflect.set(connections, "prepare", prepare);
    for (const [name, bind] of bindings) Reflect.set(statements, name, bind);
  };
}

const dayMs = 86_400_000;

/** A time near the present is that of the request. */
const shownValue = (value: unknown): string => {
  if (typeof value !== "bigint") return JSON.stringify(value);
  return Math.abs(Number(value) - Date.now()) < dayMs ? "now" : `${value}n`;
};

const shown = (sql: string, parameters: readonly unknown[]): string =>
  parameters.length === 0 ? sql : `${sql} -- ${parameters.map(shownValue).join(", ")}`;
