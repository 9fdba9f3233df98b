import pino from "pino";
import type { NifiClient } from "#nifi/client.ts";
import { startFakeNifi } from "#nifi/testing/fake-nifi.ts";
import { sampleDefinition } from "#nifi/testing/sample-flows.ts";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { describeJobs } from "#testing/jobs-suite.ts";
import { ReportedChanges } from "#testing/reported-changes.ts";
import { Deployer } from "./deployer.ts";
import { type Environment, Environments } from "./environments.ts";
import { DeploymentRuns } from "./runs.ts";

const iteration = {
  id: 11,
  number: 1,
  requestId: 1,
  requestName: "Request",
  flowId: 1,
  flowName: "storm-ingest",
  group: "weather",
  format: "json",
  content: sampleDefinition,
} as const;

/** Environments whose NiFi signs nobody in before the test lets it. */
class HeldEnvironments extends Environments {
  readonly begun = new Map<Environment, () => void>();
  hold = () => Promise.resolve();

  override client(...parameters: Parameters<Environments["client"]>): NifiClient {
    let isSignedIn = false;
    const signIn = () => {
      // The same client reads the state of the NiFi after a deployment.
      if (isSignedIn) return Promise.resolve();
      isSignedIn = true;
      this.begun.get(parameters[0])?.();
      return this.hold();
    };
    return Object.assign(super.client(...parameters), { signIn });
  }
}

const traits = {
  leaseSeconds: 30,
  afterCrash: "failed",
  onClose: "failed",
  onCancel: "cannot be canceled",
  onLate: "counts until repeated",
  isRenewed: true,
} as const;
describeJobs("deployments", traits, async (shared) => {
  let nifi = await startFakeNifi({ version: "1.18.0" });
  const addresses = new AddressPolicy(["127.0.0.1"]);
  const deployerOf = (db: typeof shared.db) => {
    const runs = new DeploymentRuns(db, traits.leaseSeconds);
    const environments = new HeldEnvironments({ db, entities: { list: () => Promise.resolve([]) }, addresses });
    const deployer = new Deployer({
      db,
      environments,
      runs,
      live: new ReportedChanges(),
      log: pino({ level: "silent" }),
      renewMs: 20,
      closeMs: 50,
      retryMs: Array.from({ length: 600 }, () => 100),
    });
    const environment: Environment = {
      name: "staging",
      displayName: "Staging",
      baseUrl: nifi.url,
      connectTimeoutMs: 600_000,
      readTimeoutMs: 600_000,
      ca: "",
    };
    /** `onBegun` is called when it signs in. */
    const deploy = (onBegun: () => void = () => undefined) => {
      const own = { ...environment };
      environments.begun.set(own, onBegun);
      const choices = { credentials: undefined, ifRunning: "stop", startNew: false } as const;
      return deployer.deploy({ iteration, environment: own, username: "root", ...choices });
    };
    return { deployer, runs, environments, deploy };
  };
  return {
    open: ({ db }, works) => {
      const { deployer, runs, environments, deploy } = deployerOf(db);
      environments.hold = works.hold;
      return {
        get running() {
          return deployer.running;
        },
        // Until it has begun or was refused. Its caller gets the outcome.
        order: () =>
          new Promise<void>((resolve) => {
            deploy(resolve).then(
              () => resolve(),
              () => resolve(),
            );
          }),
        wake: () => runs.endStale().catch(() => undefined),
        close: () => deployer.close(),
      };
    },
    // An earlier deployment, which the next one replaces.
    add: async () => {
      const { deployer, deploy } = deployerOf(shared.db);
      await deploy();
      await deployer.close();
    },
    age: (seconds) =>
      shared.pool.query("update flow_deployment_runs set alive_at = alive_at - make_interval(secs => $1) where ended_at is null", [
        seconds,
      ]),
    lease: async () => (await shared.pool.query("select alive_at from flow_deployment_runs where ended_at is null")).rows,
    outcome: async () => {
      const { rows } = await shared.pool.query<{ outcome: "open" | "done" | "failed" }>(
        "select case when ended_at is null then 'open' when succeeded then 'done' else 'failed' end as outcome from flow_deployment_runs order by id desc limit 1",
      );
      return rows[0]?.outcome ?? "open";
    },
    rows: async () => {
      const tables = [
        "select * from flow_deployment_runs order by id",
        "select * from flow_deployments order by id",
        // The state of the NiFi afterwards is read later.
        "select process_group_id, failed_at, failure from flow_deployment_targets",
      ];
      return Promise.all(tables.map(async (statement) => (await shared.pool.query(statement)).rows));
    },
    clear: async () => {
      for (const table of ["flow_deployment_runs", "flow_deployments", "flow_deployment_targets", "flow_environment_facts"]) {
        await shared.pool.query(`delete from ${table}`);
      }
      await nifi.close();
      nifi = await startFakeNifi({ version: "1.18.0" });
    },
  };
});
