import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultLimits } from "@fairway/contract/limits";
import { afterAll, expect, it } from "vitest";
import { JobRunner } from "#background/jobs.ts";
import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import { DatabaseUnavailable } from "#database/unavailable.ts";
import { userWithoutSession } from "#identity/user-without-session.ts";
import type { QueryableDataset, QueryEngine, SearchQuery } from "#query/engine.ts";
import { localDiskStores } from "#storage/local-disk.ts";
import { describeJobs } from "#testing/jobs-suite.ts";
import { noEngine } from "#testing/no-engine.ts";
import { testDatabase } from "#testing/postgres.ts";
import { ReportedChanges } from "#testing/reported-changes.ts";
import { ExportJobs, ExportWork, type RunnerParts } from "./export-jobs.ts";
import { ExportRepository } from "./repository.ts";

const limits = { ...defaultLimits, exportTimeoutMs: 600_000 };
const count = { increment: () => undefined };
const dataset = { datasetCategory: "Tests", datasetId: "rows" };

const folder = await mkdtemp(join(tmpdir(), "fairway-exports-"));
afterAll(() => rm(folder, { recursive: true }));
const store = await localDiskStores(folder).of("exported");

function exportRunner(db: Kysely<Database>, repository: ExportRepository, { findOwner, export: writeRows }: Opened) {
  const queryable = { features: new Set() } as unknown as QueryableDataset;
  const query: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 1 };
  const search = {
    columns: [],
    filterSupport: { preFilledFilters: [] },
    isPart: false,
    queryable,
    query,
    engine: { ...noEngine, export: writeRows },
  };
  return new JobRunner(
    new ExportJobs({
      searches: {
        prepare: (_user, _path, _data, work) => work(search),
        prepareBreakdown: () => Promise.reject(new Error("this test exports rows")),
      },
      findOwner: findOwner ?? ((userId) => userWithoutSession(db, userId)),
      findKeyUser: () => Promise.resolve(undefined),
      scopeKeysOf: () => Promise.resolve(scopeKeys),
      repository,
      store,
      scratchFolder: folder,
      limits,
      publicUrl: undefined,
      counts: { rows: count, bytes: count, failures: count },
      live: new ReportedChanges(),
      log: { info: () => undefined, error: () => undefined },
    }),
  );
}

interface Opened {
  readonly export: NonNullable<QueryEngine["export"]>;
  readonly findOwner?: RunnerParts["findOwner"];
}

const scopeKeys = [["Tests", "rows", "whole"]] as const;
const request = { format: "csv" as const, search: { filters: [] } };
const insertOwner = "insert into users (id, username, username_key) values ('ada', 'ada', 'ada') on conflict do nothing";

it("an export that starts during an outage of the database waits for its end", async () => {
  const database = await testDatabase();
  const { db, pool } = database;
  await pool.query(insertOwner);
  const repository = new ExportRepository(db, limits);
  let outages = 2;
  const runner = exportRunner(db, repository, {
    findOwner: async (userId) => {
      if (outages-- > 0) throw new DatabaseUnavailable("away", new Error("connect ECONNREFUSED"));
      return userWithoutSession(db, userId);
    },
    export: async (_dataset, _query, { path }) => {
      await writeFile(path, "rows");
      return 3;
    },
  });
  await runner.start(new ExportWork(await repository.insert({ id: "late", ownerId: "ada", apiKeyId: null, dataset, request, scopeKeys })));
  expect(await repository.find("late")).toMatchObject({ status: "done", rows: 3 });
  await runner.close();
  await database.drop();
});

const traits = { leaseSeconds: 20, afterCrash: "repeated", onClose: "released", onCancel: "interrupted", isRenewed: true } as const;
describeJobs("exports", traits, async (shared) => {
  const repository = new ExportRepository(shared.db, limits);
  return {
    open: ({ db }, works) => {
      const own = new ExportRepository(db, limits);
      const runner = exportRunner(db, own, {
        export: async (_dataset, _query, { path }, { signal }) => {
          await works.hold(signal);
          await writeFile(path, "rows");
          return 3;
        },
      });
      return {
        get running() {
          return runner.running;
        },
        order: async () => {
          if ((await repository.find("export")) !== undefined) return;
          void runner.start(
            new ExportWork(await own.insert({ id: "export", ownerId: "ada", apiKeyId: null, dataset, request, scopeKeys })),
          );
        },
        wake: () => runner.wake(),
        close: () => runner.close(),
      };
    },
    add: () => shared.pool.query(insertOwner),
    age: (seconds) => shared.pool.query("update exports set alive_at = alive_at - make_interval(secs => $1)", [seconds]),
    lease: async () => (await shared.pool.query("select alive_at from exports")).rows,
    outcome: async () => {
      const status = (await repository.find("export"))?.status;
      return status === "done" || status === "failed" ? status : "open";
    },
    rows: async () => (await shared.pool.query("select * from exports")).rows,
    cancel: () => repository.cancel("export"),
    clear: () => shared.pool.query("delete from exports"),
  };
});
