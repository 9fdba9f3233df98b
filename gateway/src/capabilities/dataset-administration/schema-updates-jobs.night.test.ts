import pino from "pino";
import { internalDatasets } from "#entities/entity-types.ts";
import { entityStore } from "#entities/store.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { buildDataset } from "#testing/dataset-app.ts";
import { describeJobs } from "#testing/jobs-suite.ts";
import { noEngine } from "#testing/no-engine.ts";
import { secretKey } from "#testing/secret-key.ts";
import { SchemaUpdates } from "./schema-updates.ts";
import { someUser } from "#testing/some-user.ts";

const log = pino({ level: "silent" });
const user: SignedInUser = someUser({ id: "r", username: "root", roles: ["admin"] });
const columns = [{ name: "found", type: "integer", description: "", combined: null }] as const;

const traits = { leaseSeconds: 60, afterCrash: "failed", onClose: "failed", onCancel: "interrupted", isRenewed: true } as const;
describeJobs("schema updates", traits, (shared) => ({
  open: ({ db }, works) => {
    const entities = entityStore(db, log, secretKey);
    const updates = new SchemaUpdates({
      db,
      entities,
      engines: {
        lease: () =>
          Promise.resolve({
            engine: {
              ...noEngine,
              columns: async (_source, { signal }) => {
                await works.hold(signal);
                return [...columns];
              },
            },
            release: () => undefined,
          }),
      },
      save: (id) => entities.replace(internalDatasets, id, buildDataset({ schema: { columns: [...columns] } })),
      requestProfile: () => Promise.resolve(),
      log,
      heartbeatMs: 20,
    });
    return {
      get running() {
        return updates.running;
      },
      order: async () => void (await updates.start("rows", user)),
      wake: () => updates.get("rows", "unknown").catch(() => undefined),
      close: () => updates.close(),
    };
  },
  add: () => entityStore(shared.db, log, secretKey).createIfAbsent(internalDatasets, buildDataset()),
  age: (seconds) => shared.pool.query("update schema_updates set alive_at = alive_at - make_interval(secs => $1)", [seconds]),
  lease: async () => (await shared.pool.query("select alive_at from schema_updates")).rows,
  outcome: async () => {
    const { rows } = await shared.pool.query<{ status: "running" | "done" | "failed" }>(
      "select status from schema_updates order by started_at desc limit 1",
    );
    const status = rows[0]?.status ?? "running";
    return status === "running" ? "open" : status;
  },
  rows: async () => (await shared.pool.query("select to_jsonb(entities), to_jsonb(schema_updates) from entities, schema_updates")).rows,
  cancel: () => shared.pool.query("update schema_updates set status = 'failed'"),
  clear: async () => {
    for (const table of ["entities", "schema_updates"]) await shared.pool.query(`delete from ${table}`);
  },
}));
