import { defaultLimits } from "@fairway/contract/limits";
import pino from "pino";
import { JobRunner } from "#background/jobs.ts";
import { internalDatasets } from "#entities/entity-types.ts";
import { entityStore } from "#entities/store.ts";
import { buildDataset } from "#testing/dataset-app.ts";
import { describeJobs } from "#testing/jobs-suite.ts";
import { secretKey } from "#testing/secret-key.ts";
import { Profiler } from "./profiler.ts";
import { ProfileStore } from "./store.ts";

const log = pino({ level: "silent" });
const profiled = { dataset: { datasetCategory: "Tests", datasetId: "rows" }, source: "of the rows", columns: [] };
const measured = { rows: 3, oldestMs: null, newestMs: null, coverage: null, columns: [], positions: [] };
const never = 3_600_000;

const traits = { leaseSeconds: 60, afterCrash: "failed", onClose: "released", onCancel: "interrupted", isRenewed: true } as const;
describeJobs("the profiler", traits, (shared) => {
  let datasets = [profiled];
  return {
    open: ({ db, pool }, works) =>
      new JobRunner(
        new Profiler({
          store: new ProfileStore(db),
          pool,
          profiledDatasets: () => Promise.resolve(datasets),
          use: async (_dataset, work) => {
            const profileDataset = async (_queryable: unknown, _query: unknown, { signal }: { signal: AbortSignal }) => {
              await works.hold(signal);
              return measured;
            };
            return work({ queryable: { ownConditions: [] }, engine: { profileDataset } } as unknown as Parameters<typeof work>[0]);
          },
          limits: defaultLimits,
          log,
          startDelayMs: never,
          pollMs: never,
          heartbeatMs: 20,
        }),
      ),
    add: async () => {
      await entityStore(shared.db, log, secretKey).createIfAbsent(internalDatasets, buildDataset());
      await new ProfileStore(shared.db).request(profiled.dataset);
    },
    age: (seconds) => shared.pool.query("update dataset_profiles set alive_at = alive_at - make_interval(secs => $1)", [seconds]),
    lease: async () => (await shared.pool.query("select alive_at from dataset_profiles")).rows,
    outcome: async () => {
      const { rows } = await shared.pool.query<{ outcome: "open" | "done" | "failed" }>(`
        select case when alive_at is not null then 'open' when failed_at is not null then 'failed'
          when measured_at is not null then 'done' else 'open' end as outcome from dataset_profiles`);
      return rows[0]?.outcome ?? "open";
    },
    rows: async () =>
      (await shared.pool.query("select * from dataset_profiles left join dataset_measurements using (category, dataset_id)")).rows,
    // As when the dataset was deleted.
    cancel: () => {
      datasets = [];
      return shared.pool.query("delete from dataset_profiles");
    },
    clear: async () => {
      datasets = [profiled];
      for (const table of ["entities", "dataset_profiles", "dataset_measurements"]) await shared.pool.query(`delete from ${table}`);
    },
  };
});
