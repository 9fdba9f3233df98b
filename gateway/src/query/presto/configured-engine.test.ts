import { tmpdir } from "node:os";
import type { Configuration } from "@fairway/contract/entity-schemas";
import { defaultLimits } from "@fairway/contract/limits";
import { expect, it, onTestFinished } from "vitest";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { datasetOver } from "#query/duckdb/test-files.ts";
import { openedEngine, EngineRegistry } from "#query/engines.ts";
import { engineCall } from "#testing/engine-call.ts";
import { noteNotRun } from "#testing/not-run.ts";
import { describeServerFaults } from "#testing/server-faults.ts";
import { noEngine } from "#testing/no-engine.ts";
import { ConfiguredPresto } from "./configured-engine.ts";

const dataset = { ...datasetOver("", { n: "integer" }), source: { kind: "table" as const, name: "a.b.c" } };
const query = { conditions: [], limit: 25 };

it("opens an engine for the server that the configuration names, and another one when it changes, without a restart", async () => {
  let named: Pick<Configuration, "prestoURL" | "prestoSource"> | undefined;
  const log = { warn: () => undefined, error: () => undefined };
  const tables = new ConfiguredPresto({
    configuration: { current: () => Promise.resolve(named as Configuration | undefined) },
    signIn: { user: "fairway", password: undefined, token: undefined, ca: undefined, asUser: false },
    addresses: new AddressPolicy([]),
    exportFolder: tmpdir(),
    limits: defaultLimits,
    log,
  });
  const engines = new EngineRegistry({ files: openedEngine(noEngine), tables, rest: openedEngine(noEngine) }, log);
  onTestFinished(() => engines.close());

  const none = await engines.lease(dataset.source);
  await expect(none.engine.sample(dataset, query, engineCall())).rejects.toMatchObject({
    reason: "not-ready",
    problems: [{ code: "no-engine" }],
  });
  expect(await none.engine.check?.(dataset, engineCall())).toMatchObject([{ code: "no-engine" }]);

  named = { prestoURL: "http://127.0.0.1:9", prestoSource: "" };
  const first = await engines.lease(dataset.source);
  // The operator has not allowed this address.
  const sample = first.engine.sample(dataset, query, engineCall());
  await expect(sample).rejects.toThrow("The query server has an address that the portal does not call; an operator can allow it");
  named = { prestoURL: "http://127.0.0.1:9", prestoSource: "harbor" };
  const second = await engines.lease(dataset.source);
  expect(second.engine).not.toBe(first.engine);
  for (const { release } of [none, first, second]) release();
  named = undefined;
  const third = await engines.lease(dataset.source);
  expect(third.engine).toBe(none.engine);
  third.release();
});

const { FAULTS_SERVER: server, FAULTS_URL: url, FAULTS_CONTROL: control } = process.env;
if (server === undefined || url === undefined || control === undefined) {
  noteNotRun("kills of a real Trino and Presto", "run `npm run test:engines`, see docs/decisions/archive/0476");
} else describeServerFaults(server, url, control);
