import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import type { ProvidedContext } from "vitest";
import type { TestProject } from "vitest/node";
import { connectDatabase } from "#database/connection.ts";
import { startEmbeddedPostgres } from "#database/embedded-postgres.ts";
import { migrate } from "#database/migrate.ts";
import { postgresBinaries } from "#database/postgres-binaries.ts";
import { prepareCluster } from "#database/postgres-cluster.ts";
import { findPostgresUser } from "#database/postgres-user.ts";
import { copyCluster } from "./copy-cluster.ts";
import { type FreshDatabase, describeFreshDatabase } from "./empty-database.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The tests' PostgreSQL; `template` is a migrated database without connections, `fresh` describes databases created from it. */
    testPostgres: { url: string; template: string; fresh: FreshDatabase };
    /** The data folder of an embedded PostgreSQL that has never run. Use `preparedPostgres`. */
    testCluster: string;
  }
}

interface TestServer {
  readonly testPostgres: ProvidedContext["testPostgres"];
  readonly testCluster: string;
  readonly stop: () => Promise<void>;
}

/** Each project loads this module anew, and preparing a server takes seconds of CPU. */
const run = globalThis as { fairwayTestServer?: Promise<TestServer> };

/** Vitest runs this once per project: the first starts one PostgreSQL for all test files and stops it afterwards. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const isFirst = run.fairwayTestServer === undefined;
  const { testPostgres, testCluster, stop } = await (run.fairwayTestServer ??= startTestServer());
  project.provide("testCluster", testCluster);
  project.provide("testPostgres", testPostgres);
  return isFirst ? stop : () => Promise.resolve();
}

async function startTestServer(): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), "fairway-tests-"));
  const cluster = await createCluster(join(folder, "cluster"));
  await copyCluster(cluster, join(folder, "server"));
  const server = await startEmbeddedPostgres({
    folder: join(folder, "server"),
    log: pino({ level: "silent" }),
    // Test data need not survive a power failure.
    settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "200", shared_buffers: "64MB" },
  });
  const template = "migrated";
  const admin = connectDatabase(server.url, { maxConnections: 1 });
  // Tests open thousands of connections, and each derives its key with this number of iterations, by default 4,096.
  const { password } = new URL(server.url);
  await admin.pool.query(`set scram_iterations = 1; alter role current_user password '${decodeURIComponent(password)}'`);
  await admin.pool.query(`create database ${template}`);
  await admin.close();
  const empty = connectDatabase(databaseUrl(server.url, template), { maxConnections: 2 });
  await migrate(empty.db as never);
  const fresh = await describeFreshDatabase(empty.pool);
  await empty.close();
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { testPostgres: { url: server.url, template, fresh }, testCluster: cluster, stop };
}

async function createCluster(folder: string): Promise<string> {
  await mkdir(folder);
  const binaries = await postgresBinaries();
  const { data } = await prepareCluster(folder, binaries, await findPostgresUser(binaries.postgres, folder));
  return data;
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
