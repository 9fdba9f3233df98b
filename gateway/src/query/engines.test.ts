import { configuration } from "@fairway/contract/entity-schemas";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { storedTypes } from "#entities/entity-types.ts";
import { liveConfiguration } from "#entities/live-configuration.ts";
import { type EntityStore, entityStore } from "#entities/store.ts";
import { noEngine } from "#testing/no-engine.ts";
import { type TestDatabase, testDatabase } from "#testing/postgres.ts";
import { secretKey } from "#testing/secret-key.ts";
import { type DatasetSource, EngineFailed, type QueryEngine } from "./engine.ts";
import { type EngineDefinition, EngineRegistry, openedEngine } from "./engines.ts";

const files: DatasetSource = { kind: "files", glob: "rows.parquet", format: "parquet" };
const tables: DatasetSource = { kind: "table", name: "a.b.c" };

let database: TestDatabase;
let entities: EntityStore;
let onChange: () => void = () => {};
beforeAll(async () => {
  database = await testDatabase();
  entities = entityStore(database.db, pino({ level: "silent" }), secretKey, () => onChange());
});
afterAll(() => database.drop());

/** Opened and closed engines, by the host of their address. */
let events: string[];
let failure: Error | undefined;
beforeEach(async () => {
  [events, failure] = [[], undefined];
  await entities.create(storedTypes.config, configuration.parse({ name: "live", prestoURL: "http://a.example.org/" }), { enabled: true });
  return () => entities.remove(storedTypes.config, "live");
});

const configure = (prestoURL: string) => entities.replace(storedTypes.config, "live", configuration.parse({ name: "live", prestoURL }));

/** An engine whose address is in the live configuration. */
function configuredEngine(): EngineDefinition<string | undefined> {
  const live = liveConfiguration(entities, { subscribe: (listener) => void (onChange = () => listener(undefined)) });
  const hostOf = new Map<QueryEngine, string>();
  return {
    settings: async () => (await live.current())?.prestoURL,
    open: (url = "") => {
      if (failure !== undefined) return Promise.reject(failure);
      const engine = { ...noEngine };
      hostOf.set(engine, new URL(url).host);
      events.push(`open ${hostOf.get(engine)}`);
      return Promise.resolve(engine);
    },
    close: (engine) => {
      events.push(`close ${hostOf.get(engine)}`);
      return Promise.resolve();
    },
  };
}

function registry(): EngineRegistry {
  const engines = new EngineRegistry(
    { files: openedEngine(noEngine), tables: configuredEngine(), rest: openedEngine(noEngine) },
    { error: () => {} },
  );
  onTestFinished(() => engines.close());
  return engines;
}

describe("an engine that administrators configure", () => {
  it("is opened on its first lease, once for concurrent leases", async () => {
    const engines = registry();
    expect(events).toEqual([]);
    const [one, other] = await Promise.all([engines.lease(tables), engines.lease(tables)]);
    expect(one.engine).toBe(other.engine);
    one.release();
    other.release();
    expect((await engines.lease(tables)).engine).toBe(one.engine);
    expect(events).toEqual(["open a.example.org"]);
  });

  it("is replaced when its settings change: new leases get the new one, and the old one closes after its last lease", async () => {
    const engines = registry();
    const [one, other] = [await engines.lease(tables), await engines.lease(tables)];
    await configure("http://b.example.org/");
    const next = await engines.lease(tables);
    expect(next.engine).not.toBe(one.engine);
    one.release();
    one.release();
    expect(events).toEqual(["open a.example.org", "open b.example.org"]);
    other.release();
    await expect.poll(() => events).toEqual(["open a.example.org", "open b.example.org", "close a.example.org"]);
    next.release();
    expect(events).toHaveLength(3);
  });

  it("closes immediately if it is replaced while it is not leased", async () => {
    const engines = registry();
    (await engines.lease(tables)).release();
    await configure("http://b.example.org/");
    await engines.lease(tables);
    await expect.poll(() => events).toContain("close a.example.org");
  });

  it("that fails to open affects neither other engines nor existing leases, and is retried on the next lease", async () => {
    const engines = registry();
    const before = await engines.lease(tables);
    await configure("http://b.example.org/");
    failure = new Error("connect ECONNREFUSED with the password sesame");
    const refused = await engines.lease(tables).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(EngineFailed);
    expect(refused).toMatchObject({
      reason: "not-ready",
      cause: failure,
      message: "The engine 'tables' cannot be opened now. Tell an administrator.",
    });
    expect((await engines.lease(files)).engine).toBe(noEngine);
    expect(events).toEqual(["open a.example.org"]);
    failure = undefined;
    await engines.lease(tables);
    before.release();
    await expect.poll(() => events).toEqual(["open a.example.org", "open b.example.org", "close a.example.org"]);
  });

  it("closes with the registry, whether it is leased or not", async () => {
    const engines = registry();
    await engines.lease(tables);
    await configure("http://b.example.org/");
    (await engines.lease(tables)).release();
    await engines.close();
    expect(events.toSorted()).toEqual(["close a.example.org", "close b.example.org", "open a.example.org", "open b.example.org"]);
  });
});
