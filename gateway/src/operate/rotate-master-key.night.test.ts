import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile, readdir, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pino from "pino";
import { expect, it, onTestFinished, vi } from "vitest";
import { decryptTarget, encryptTarget } from "#capabilities/alerts/webhook-target.ts";
import { newValue, isValueOf } from "#capabilities/api-keys/value.ts";
import { openNotifications } from "#database/notifications.ts";
import { externalDatasets } from "#entities/entity-types.ts";
import { entityStore } from "#entities/store.ts";
import { providerTokensColumn } from "#identity/provider-sessions.ts";
import { authenticatorColumn } from "#identity/second-factors.ts";
import { privateKeyColumn } from "#identity/signing-keys.ts";
import { type MasterKey, decodeMasterKey, masterKeyOf } from "#secrets/master-key.ts";
import { bundledProgram } from "#testing/bundled-program.ts";
import { temporaryFolder } from "#testing/portal-process.ts";
import { type TestDatabase, testDatabaseForOneTest } from "#testing/postgres.ts";
import { operatorCommand as run } from "#testing/run-command.ts";
import { encryptedColumns } from "./encrypted-columns.ts";

// Some tests start processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const silent = pino({ level: "silent" });

const keyIn = async (file: string): Promise<MasterKey> => masterKeyOf(decodeMasterKey(await readFile(file, "utf8")) ?? Buffer.alloc(0));

const externalDataset = {
  name: "Airline",
  baseRoute: "https://api.example.org",
  apiKeyCredential: { headerName: "X-Key", key: "secret of a header" },
  keystoreCredential: { path: "airline.p12", type: "PKCS12", password: "secret of a keystore" },
};

/** A database with every kind of secret, and a function that expects a key to open all of them. */
async function usedPortal() {
  const database = await testDatabaseForOneTest();
  const home = await temporaryFolder();
  await writeFile(join(home, "master.key"), `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
  const key = await keyIn(join(home, "master.key"));
  const { db } = database;
  const user = { id: "u1", username: "ada", username_key: "ada", password_hash: null, email: null, first_name: null, last_name: null };
  await db.insertInto("users").values(user).execute();
  const privateKey = key.encrypt("secret of a signing key", privateKeyColumn.contextOf({ kid: "k1" }));
  await db.insertInto("signing_keys").values({ kid: "k1", public_key: "public", private_key: privateKey }).execute();
  const secret = key.encrypt("secret of an app", authenticatorColumn.contextOf({ userId: "u1" }));
  await db.insertInto("authenticators").values({ user_id: "u1", secret }).execute();
  const expires_at = new Date(Date.now() + 3_600_000);
  await db.insertInto("sessions").values({ id: "s1", user_id: "u1", purpose: "ordinary", expires_at, authenticated_at: null }).execute();
  const tokens = key.encrypt("tokens of a provider", providerTokensColumn.contextOf({ session: "s1" }));
  await db
    .insertInto("provider_sessions")
    .values({ session_id: "s1", person_hash: "p", sid_hash: null, tokens, checking_until: null, unreachable_since: null })
    .execute();
  await db
    .insertInto("api_keys")
    .values({ id: "a1", user_id: "u1", name: "batch", name_key: "batch", datasets: "[]", fileset_ids: [], ecosystem_names: [] })
    .execute();
  const { value, stored } = newValue(key, { keyId: "a1", userId: "u1" });
  await db
    .insertInto("api_key_values")
    .values({ ...stored, key_id: "a1" })
    .execute();
  await entityStore(db, silent, key).create(externalDatasets, externalDataset);
  await database.pool.query(
    `insert into alerts (id, user_id, name, name_key, category, dataset_id, condition, every_minutes, tell_when_over, email)
     values ('w1', 'u1', 'Rain', 'rain', 'nature', 'storms', '{"kind":"new-rows"}', 60, false, false)`,
  );
  const webhook = { url: "https://example.org/hook", secret: "whsec_c2VjcmV0" };
  await db
    .insertInto("alert_webhooks")
    .values({ alert_id: "w1", target: encryptTarget(key, "w1", webhook) })
    .execute();

  const expectOpenedBy = async (opening: MasterKey) => {
    const signing = await db.selectFrom("signing_keys").select("private_key").executeTakeFirstOrThrow();
    expect(opening.decrypt(signing.private_key, "signing-key:k1").toString()).toBe("secret of a signing key");
    const app = await db.selectFrom("authenticators").select("secret").executeTakeFirstOrThrow();
    expect(opening.decrypt(app.secret, "authenticator:u1").toString()).toBe("secret of an app");
    const session = await db.selectFrom("provider_sessions").select("tokens").executeTakeFirstOrThrow();
    expect(opening.decrypt(session.tokens, "provider_sessions s1").toString()).toBe("tokens of a provider");
    const apiKey = await db.selectFrom("api_key_values").select("value").executeTakeFirstOrThrow();
    expect(isValueOf(opening, { keyId: "a1", userId: "u1" }, apiKey.value, value)).toBe(true);
    const { target } = await db.selectFrom("alert_webhooks").select("target").executeTakeFirstOrThrow();
    expect(decryptTarget(opening, "w1", target)).toEqual(webhook);
    const [dataset] = await entityStore(db, silent, opening).list(externalDatasets);
    expect(dataset?.reveal()).toMatchObject(externalDataset);
    expect(dataset?.version).toBe(1);
  };
  return { database, home, key, env: { DATABASE_URL: database.url, FAIRWAY_HOME: home }, expectOpenedBy };
}

/** Every column of the database that holds a text encrypted with this key. */
async function columnsWith(database: TestDatabase, key: MasterKey): Promise<string[]> {
  const { rows } = await database.pool.query<{ table: string; column: string }>(
    `select relname as "table", attname as "column" from pg_attribute join pg_class on pg_class.oid = attrelid
      where relkind = 'r' and relnamespace = current_schema()::regnamespace and attnum > 0 and not attisdropped`,
  );
  const found: string[] = [];
  for (const { table, column } of rows) {
    const { rowCount } = await database.pool.query(`select from ${table} where strpos("${column}"::text, $1) > 0 limit 1`, [
      `v1.${key.id}.`,
    ]);
    if (rowCount === 1) found.push(`${table}.${column}`);
  }
  return found.toSorted();
}

it("lists every column that anything is encrypted for", async () => {
  const { stdout } = await promisify(execFile)("grep", [
    "-rhoE",
    "--include=*.ts",
    "--exclude=*.test.ts",
    "--exclude=encrypted-column.ts",
    String.raw`\bencrypted(Text|Json)Column\(`,
    "gateway/src",
  ]);
  expect(stdout.trim().split("\n")).toHaveLength(encryptedColumns.length);
});

it("reencrypts secrets of every kind with a new key in the folder, and keeps the old key", async () => {
  const { database, home, key, env, expectOpenedBy } = await usedPortal();
  const listed = encryptedColumns.map(({ table, column }) => `${table}.${column}`).toSorted();
  expect(await columnsWith(database, key)).toEqual(listed);
  const { code, out, err } = await run(["rotate-master-key"], env);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const next = await keyIn(join(home, "master.key"));
  expect(next.id).not.toBe(key.id);
  expect(out).toContain(`new master key ${next.id}`);
  expect(out).toContain("entities.body: 2\n");
  expect(out).not.toContain((await readFile(join(home, "master.key"), "utf8")).trim());
  await expectOpenedBy(next);
  expect(await columnsWith(database, key)).toEqual([]);
  expect((await readdir(home)).toSorted()).toEqual(["master.key", `master.key.replaced-${key.id}`]);
  expect((await keyIn(join(home, `master.key.replaced-${key.id}`))).id).toBe(key.id);
  for (const name of await readdir(home)) expect((await stat(join(home, name))).mode & 0o077).toBe(0);
});

it("takes a given key, and refuses the present one and a file without a key", async () => {
  const { home, key, env, expectOpenedBy } = await usedPortal();
  const file = join(await temporaryFolder(), "next");
  for (const [text, refusal] of [
    [await readFile(join(home, "master.key"), "utf8"), "contains the present master key"],
    ["too short", "does not contain 32 bytes"],
  ] as const) {
    await writeFile(file, text);
    expect(await run(["rotate-master-key", `--new-key-file=${file}`], env)).toMatchObject({
      code: 1,
      err: expect.stringContaining(refusal) as string,
    });
  }
  await expectOpenedBy(key);
  const bytes = randomBytes(32);
  await writeFile(file, bytes.toString("base64"));
  expect(await run(["rotate-master-key", `--new-key-file=${file}`], env)).toMatchObject({ code: 0 });
  expect((await keyIn(join(home, "master.key"))).id).toBe(masterKeyOf(bytes).id);
  await expectOpenedBy(masterKeyOf(bytes));
});

it("says what to do with a key of the environment, and may be repeated before that was done", async () => {
  const { home, key, env: withFile, expectOpenedBy } = await usedPortal();
  const env = { ...withFile, FAIRWAY_MASTER_KEY: (await readFile(join(home, "master.key"), "utf8")).trim() };
  expect(await run(["rotate-master-key"], env)).toMatchObject({ code: 1, err: expect.stringContaining("--new-key-file") as string });
  await expectOpenedBy(key);
  const file = join(await temporaryFolder(), "next");
  const done = await run(["rotate-master-key", `--new-key-file=${file}`], env);
  expect(done).toMatchObject({ code: 0, out: expect.stringContaining("NOW set FAIRWAY_MASTER_KEY of every gateway") as string });
  const next = await keyIn(file);
  await expectOpenedBy(next);
  const again = await run(["rotate-master-key", `--new-key-file=${file}`], env);
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining("NOW set FAIRWAY_MASTER_KEY of every gateway") as string });
  await expectOpenedBy(next);
  // The file of the folder is not the portal's key.
  expect((await keyIn(join(home, "master.key"))).id).toBe(key.id);
});

it("changes nothing if the present key does not open everything", async () => {
  const { database, home, key, env, expectOpenedBy } = await usedPortal();
  const other = { ...env, FAIRWAY_MASTER_KEY: randomBytes(32).toString("hex") };
  const wrong = await run(["rotate-master-key", `--new-key-file=${join(home, "next")}`], other);
  expect(wrong).toMatchObject({ code: 1, err: expect.stringMatching(/does not fit the database, which is encrypted with/) as string });
  const secret = masterKeyOf(randomBytes(32)).encrypt("foreign", authenticatorColumn.contextOf({ userId: "u2" }));
  await database.pool.query("insert into users (id, username, username_key) values ('u2', 'bob', 'bob')");
  await database.db.insertInto("authenticators").values({ user_id: "u2", secret }).execute();
  const refused = await run(["rotate-master-key"], env);
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringContaining("Nothing was changed, because a stored secret cannot be read") as string,
  });
  await database.pool.query("delete from authenticators where user_id = 'u2'");
  await expectOpenedBy(key);
  expect(await readdir(home)).toEqual(["master.key"]);
});

/** Makes a rotation wait before the last of its tables until it is released. */
async function waitingForTables(database: TestDatabase) {
  const client = await database.pool.connect();
  await client.query("begin; lock table entities in share mode");
  const waiting = "select from pg_locks where not granted and relation = 'entities'::regclass";
  return {
    waits: () => vi.waitUntil(async () => (await database.pool.query(waiting)).rowCount === 1, { timeout: 60_000, interval: 50 }),
    async release() {
      await client.query("rollback");
      client.release();
    },
  };
}

it("refuses while a gateway or another command works on the database", async () => {
  const { database, key, env, expectOpenedBy } = await usedPortal();
  const gateway = await openNotifications(database.url, silent);
  expect(await run(["rotate-master-key"], env)).toMatchObject({ code: 1, err: expect.stringContaining("stop every gateway") as string });
  await gateway.close();
  await expectOpenedBy(key);
  const blocker = await waitingForTables(database);
  const first = run(["rotate-master-key"], env);
  await blocker.waits();
  expect(await run(["rotate-master-key"], env)).toMatchObject({ code: 1, err: expect.stringMatching(/wait until it ends/) as string });
  await blocker.release();
  expect((await first).code).toBe(0);
  await expectOpenedBy(await keyIn(join(env.FAIRWAY_HOME, "master.key")));
});

it("keeps gateways from starting meanwhile, and leaves the old key if it is killed before its end", async () => {
  const { database, home, key, env, expectOpenedBy } = await usedPortal();
  const blocker = await waitingForTables(database);
  const program = await bundledProgram(new URL("../testing/command-child.ts", import.meta.url));
  const child = spawn(process.execPath, ["--conditions=source", program, "rotate-master-key"], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: "ignore",
  });
  const ended = once(child, "close");
  onTestFinished(() => void child.kill("SIGKILL"));
  await blocker.waits();
  await expect(openNotifications(database.url, silent)).rejects.toThrow("A command is replacing the master key");
  child.kill("SIGKILL");
  await ended;
  await blocker.release();
  expect((await readdir(home)).toSorted()).toEqual(["master.key", "master.key.new"]);
  await vi.waitUntil(async () => (await run(["rotate-master-key"], env)).code === 0, { timeout: 60_000, interval: 100 });
  const next = await keyIn(join(home, "master.key"));
  expect(next.id).not.toBe(key.id);
  await expectOpenedBy(next);
});

/** As if the command had been killed between its commit and the renaming of the key. */
async function interrupted(home: string, key: MasterKey): Promise<void> {
  await rename(join(home, "master.key"), join(home, "master.key.new"));
  await rename(join(home, `master.key.replaced-${key.id}`), join(home, "master.key"));
}

it("finishes at the next command, backup or doctor's advice if it was killed after its commit", async () => {
  const { home, key, env, expectOpenedBy } = await usedPortal();
  expect((await run(["rotate-master-key"], env)).code).toBe(0);
  const next = await keyIn(join(home, "master.key"));
  await interrupted(home, key);
  expect((await run(["doctor"], env)).out).toContain("A replacement of the master key was interrupted");
  expect(await run(["rotate-master-key"], env)).toMatchObject({
    code: 0,
    out: expect.stringContaining("An earlier, interrupted command") as string,
  });
  expect((await keyIn(join(home, "master.key"))).id).toBe(next.id);
  await interrupted(home, key);
  const backup = join(await temporaryFolder(), "backup");
  expect(await run(["backup", backup], env)).toMatchObject({
    code: 0,
    out: expect.stringContaining(`the master key (${next.id})`) as string,
  });
  const { stdout } = await promisify(execFile)("find", [backup, "-name", "master.key*"]);
  expect(stdout).toBe("");
  await expectOpenedBy(next);
});
