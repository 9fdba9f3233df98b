import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pino from "pino";
import { connectDatabase } from "#database/connection.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#database/embedded-postgres.ts";
import { migrate } from "#database/migrate.ts";
import { postgresBinaries } from "#database/postgres-binaries.ts";
import { prepareCluster } from "#database/postgres-cluster.ts";
import { findPostgresUser } from "#database/postgres-user.ts";
import { systemCode } from "#process/system-code.ts";
import { copyCluster } from "./copy-cluster.ts";
import { type FreshDatabase, describeFreshDatabase } from "./empty-database.ts";

/** Data folders of PostgreSQL to copy. None of them is running. */
export interface KeptClusters {
  /** Has never run. */
  readonly empty: string;
  /** Holds the database `migrated`. */
  readonly migrated: string;
  readonly fresh: FreshDatabase;
}

export const template = "migrated";

const builds = fileURLToPath(new URL("../../../.build/test-postgres/", import.meta.url));
const sources = fileURLToPath(new URL("../database/", import.meta.url));
const unusedMs = 7 * 24 * 3_600_000;

/** Creating and migrating a cluster takes seconds, so both are kept for later runs until the sources of the database change. */
export async function keptClusters(): Promise<KeptClusters> {
  const folder = join(builds, await keyOfSources());
  const kept: KeptClusters | undefined = await readKept(folder);
  if (kept !== undefined) return kept;
  await removeUnused();
  await buildClusters(folder);
  const built = await readKept(folder);
  if (built === undefined) throw new Error(`the clusters in ${folder} are incomplete: remove that folder`);
  return built;
}

async function readKept(folder: string): Promise<KeptClusters | undefined> {
  const text = await readFile(join(folder, "fresh.json"), "utf8").catch(unlessMissing);
  if (text === undefined) return undefined;
  return { empty: join(folder, "empty/data"), migrated: join(folder, "migrated/data"), fresh: JSON.parse(text) as FreshDatabase };
}

async function keyOfSources(): Promise<string> {
  const hash = createHash("sha256");
  const files = (await readdir(sources, { recursive: true })).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  for (const file of files.toSorted()) hash.update(file).update(await readFile(join(sources, file)));
  hash.update(await readFile(fileURLToPath(import.meta.url)));
  const { postgres } = await postgresBinaries();
  const { size, mtimeMs } = await stat(postgres);
  hash.update(JSON.stringify([postgres, size, mtimeMs, process.getuid?.()]));
  return hash.digest("hex").slice(0, 16);
}

async function removeUnused(): Promise<void> {
  await mkdir(builds, { recursive: true });
  for (const name of await readdir(builds)) {
    const folder = join(builds, name);
    if (Date.now() - (await stat(folder)).mtimeMs > unusedMs) await rm(folder, { recursive: true, force: true });
  }
}

async function buildClusters(folder: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), "fairway-clusters-"));
  const unfinished = await mkdtemp(join(builds, "unfinished-"));
  try {
    const empty = join(work, "empty");
    await mkdir(empty);
    const binaries = await postgresBinaries();
    const { data } = await prepareCluster(empty, binaries, await findPostgresUser(binaries.postgres, empty));
    await copyCluster(data, join(work, "migrated"));
    const server = await startTestPostgres(join(work, "migrated"));
    const fresh = await migrateTemplate(server.url);
    await server.stop();
    for (const name of ["empty", "migrated"]) await copyCluster(join(work, name, "data"), join(unfinished, name));
    await writeFile(join(unfinished, "fresh.json"), JSON.stringify(fresh));
    await rename(unfinished, folder).catch((error: unknown) => {
      // Another run was faster.
      if (systemCode(error) !== "ENOTEMPTY" && systemCode(error) !== "EEXIST") throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function migrateTemplate(url: string): Promise<FreshDatabase> {
  const admin = connectDatabase(url, { maxConnections: 1 });
  // Tests open thousands of connections, and each derives its key with this number of iterations, by default 4,096.
  const { password } = new URL(url);
  await admin.pool.query(`set scram_iterations = 1; alter role current_user password '${decodeURIComponent(password)}'`);
  await admin.pool.query(`create database ${template}`);
  await admin.close();
  const address = new URL(url);
  address.pathname = `/${template}`;
  const database = connectDatabase(address.href, { maxConnections: 2 });
  await migrate(database.db as never);
  const fresh = await describeFreshDatabase(database.pool);
  await database.close();
  return fresh;
}

export const startTestPostgres = (folder: string): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({
    folder,
    log: pino({ level: "silent" }),
    settings: {
      // Test data need not survive a power failure.
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
      max_connections: "200",
      shared_buffers: "64MB",
      // Every statement has the plan that it would get after its sixth run on a connection: some are possible only for known values.
      plan_cache_mode: "force_generic_plan",
    },
  });

function unlessMissing(error: unknown): undefined {
  if (systemCode(error) !== "ENOENT") throw error;
  return undefined;
}
