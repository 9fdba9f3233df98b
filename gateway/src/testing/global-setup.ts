import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProvidedContext } from "vitest";
import type { TestProject } from "vitest/node";
import { copyCluster } from "./copy-cluster.ts";
import type { FreshDatabase } from "./empty-database.ts";
import { keptClusters, startTestPostgres, template } from "./kept-clusters.ts";

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

/** Each project loads this module anew, and starting a server takes a while. */
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
  const { empty, migrated, fresh } = await keptClusters();
  const folder = await mkdtemp(join(tmpdir(), "fairway-tests-"));
  await copyCluster(migrated, join(folder, "server"));
  const server = await startTestPostgres(join(folder, "server"));
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { testPostgres: { url: server.url, template, fresh }, testCluster: empty, stop };
}
