import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { defaultLimits } from "@fairway/contract/limits";
import pino from "pino";
import { afterAll } from "vitest";
import { JobRunner } from "#background/jobs.ts";
import { userWithoutSession } from "#identity/user-without-session.ts";
import { testMasterKey as masterKey } from "#testing/test-master-key.ts";
import { AddressPolicy } from "#outbound/address-policy.ts";
import type { QueryableDataset, SearchQuery } from "#query/engine.ts";
import { describeJobs, type HeldWorks } from "#testing/jobs-suite.ts";
import { noEngine } from "#testing/no-engine.ts";
import type { TestDatabase } from "#testing/postgres.ts";
import { ReportedChanges } from "#testing/reported-changes.ts";
import { addDeliveries, Deliveries } from "./deliveries.ts";
import { seedAlert } from "./seed-alert.ts";
import { AlertStore } from "./store.ts";
import { AlertWatcher } from "./watcher.ts";
import { encryptTarget, newWebhookSecret } from "./webhook-target.ts";

const log = pino({ level: "silent" });
const canRead = () => Promise.resolve(true);
const scopeKeysOf = () => Promise.resolve([["Tests", "rows", "whole"] as const]);
const never = 3_600_000;

/** An alert of Ada that is due. */
async function addAlert({ db, pool }: TestDatabase): Promise<void> {
  await pool.query("insert into users (id, username, username_key) values ('ada', 'ada', 'ada') on conflict do nothing");
  await seedAlert(db, {
    id: "alert",
    owner: "ada",
    savedSearch: { datasetCategory: "Tests", datasetId: "rows", queryName: "rows", description: "", query: "{}" },
    alert: { name: "Rows", condition: { kind: "above", rows: 100 }, everyMinutes: 60 },
  });
}
const removeAlerts = async ({ pool }: TestDatabase) => {
  for (const table of ["alerts", "saved_searches", "notifications"]) await pool.query(`delete from ${table}`);
};

const limits = { ...defaultLimits, alertCheckMs: 600_000 };
const lookTraits = { leaseSeconds: 630, afterCrash: "repeated", onClose: "released", onCancel: "ignored" } as const;
describeJobs("checks of alerts", lookTraits, (shared) => ({
  open: ({ db }, works) => {
    const aggregate = async (...parameters: Parameters<typeof noEngine.aggregate>) => {
      await works.hold(parameters[4].signal);
      return [[3]];
    };
    const queryable = { features: new Set(["COUNT"]) } as unknown as QueryableDataset;
    const query: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 1 };
    return new JobRunner(
      new AlertWatcher({
        store: new AlertStore(db, limits),
        searches: {
          prepare: (_user, _path, _data, work) => work({ hasNoRows: false, queryable, query, engine: { ...noEngine, aggregate } }),
          prepareBreakdown: () => Promise.reject(new Error("no alert watches figures here")),
        },
        canRead,
        findSavedSearch: () => Promise.reject(new Error("nobody watches a search of others here")),
        scopeKeysOf,
        findOwner: (userId) => userWithoutSession(db, userId),
        notifier: { notifyWithin: () => Promise.resolve(() => undefined) },
        onDeliveries: () => undefined,
        publicUrl: undefined,
        live: new ReportedChanges(),
        limits,
        log,
        pollMs: never,
      }),
    );
  },
  add: () => addAlert(shared),
  age: (seconds) =>
    shared.pool.query(
      "update alerts set claimed_until = claimed_until - make_interval(secs => $1), next_check_at = next_check_at - make_interval(secs => $1)",
      [seconds],
    ),
  outcome: async () => {
    const { rows } = await shared.pool.query<{ kind: string }>("select kind from alert_checks order by id desc limit 1");
    // The first failures say nothing yet.
    return rows[0]?.kind === "ok" ? "done" : rows[0]?.kind === "paused" ? "failed" : "open";
  },
  rows: async () => (await shared.pool.query("select * from alerts left join alert_checks on alert_id = alerts.id")).rows,
  cancel: () => shared.pool.query("update alerts set claim = null, claimed_until = null, paused_by = 'owner', next_check_at = null"),
  clear: () => removeAlerts(shared),
}));

const deliveryTraits = { leaseSeconds: 60, afterCrash: "repeated", onClose: "released", onCancel: "ignored" } as const;
describeJobs("messages to webhooks", deliveryTraits, async (shared) => {
  let works: HeldWorks | undefined;
  const receiver = createServer((request, response) => {
    request.resume();
    const left = new AbortController();
    response.on("close", () => left.abort());
    const answer = (status: number) => response.writeHead(status).end();
    void works?.hold(left.signal).then(
      () => answer(204),
      () => answer(500),
    );
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  return {
    open: ({ db }, held) => {
      works = held;
      const parts = {
        db,
        masterKey,
        canRead,
        scopeKeysOf,
        log,
        limits: { alertWebhookAttempts: 3 },
        live: new ReportedChanges(),
        pollMs: never,
      };
      return new JobRunner(
        new Deliveries({
          ...parts,
          addresses: AddressPolicy.forUsers(["127.0.0.0/8"]),
          findOwner: (userId) => userWithoutSession(db, userId),
          notifier: { notifyWithin: () => Promise.resolve(() => undefined) },
          retrySeconds: 3_600,
          timeouts: { connectMs: 600_000, readMs: 600_000 },
        }),
      );
    },
    add: async () => {
      await addAlert(shared);
      const target = encryptTarget(masterKey, "alert", { url, secret: newWebhookSecret() });
      await shared.pool.query("insert into alert_webhooks (alert_id, target) values ('alert', $1)", [target]);
      await addDeliveries(shared.db, "alert", [{ id: "msg_1", body: "{}", needsDataset: true }]);
    },
    age: (seconds) =>
      shared.pool.query(
        "update alert_deliveries set claimed_until = claimed_until - make_interval(secs => $1), next_attempt_at = next_attempt_at - make_interval(secs => $1)",
        [seconds],
      ),
    outcome: async () => {
      if ((await shared.pool.query("select from alert_webhooks where dead_at is not null")).rowCount === 1) return "failed";
      return (await shared.pool.query("select from alert_deliveries")).rowCount === 0 ? "done" : "open";
    },
    rows: async () => (await shared.pool.query("select * from alert_webhooks left join alert_deliveries using (alert_id)")).rows,
    cancel: () => shared.pool.query("delete from alerts"),
    clear: () => removeAlerts(shared),
  };
});
