import { randomBytes } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import pino from "pino";
import { expect, it, onTestFinished } from "vitest";
import { storedTypes } from "#entities/entity-types.ts";
import { entityStore } from "#entities/store.ts";
import { privateKeyColumn } from "#identity/signing-keys.ts";
import { masterKeyOf } from "#secrets/master-key.ts";
import { forgingProvider } from "#testing/forging-provider.ts";
import { testProvider } from "#testing/identity-provider.ts";
import { otlpReceiver } from "#testing/otlp-receiver.ts";
import { temporaryFolder } from "#testing/portal-process.ts";
import { testDatabaseForOneTest } from "#testing/postgres.ts";
import { doctor, operatorCommand as run } from "#testing/run-command.ts";
import { thisMachine, checkMachine } from "./check-machine.ts";
import { Findings } from "./finding.ts";

const key = randomBytes(32);

it("creates nothing in a folder without a portal", async () => {
  const folder = await temporaryFolder();
  const { code, of } = await doctor({ FAIRWAY_HOME: join(folder, "none") });
  expect(code).toBe(0);
  expect(of("folder")).toContain("does not exist yet");
  expect(of("database")).toContain("There is no database yet");
  expect(await readdir(folder)).toEqual([]);
});

it("names every setting that is wrong, and stops there", async () => {
  const { code, of, findings } = await doctor({ PORT: "high", PUBLIC_URL: "data.example.org", FAIRWAY_TYPO: "1" });
  expect(code).toBe(1);
  expect(of("settings", "problem")).toMatch(/^PUBLIC_URL is "data\.example\.org": .*\nPORT is "high": /);
  expect(new Set(findings.map(({ check }) => check))).toEqual(new Set(["machine", "settings"]));
});

it("says why and what to do of everything that is wrong", async () => {
  const { findings } = await doctor({
    FAIRWAY_HOME: await temporaryFolder(),
    PUBLIC_URL: "https://127.0.0.1:1",
    FAIRWAY_TYPO: "1",
    FAIRWAY_SETTINGS: '{"scanCommand":["/no/such/scanner"]}',
    FAIRWAY_SMTP_URL: "smtp://someone:mail-secret@127.0.0.1:1",
    FAIRWAY_SMTP_FROM: "portal@example.org",
    DATABASE_URL: "postgres://someone:database-secret@127.0.0.1:1/none",
  });
  const wrong = findings.filter(({ level }) => level === "problem" || level === "warning");
  expect(wrong.map(({ check }) => check)).toEqual(expect.arrayContaining(["address", "database", "mail", "scanner", "settings"]));
  expect(wrong.filter(({ why, todo }) => !why || !todo)).toEqual([]);
  expect(JSON.stringify(findings)).not.toMatch(/mail-secret|database-secret/);
});

it("tries the receiver of traces", async () => {
  const receiver = await otlpReceiver();
  const env = { FAIRWAY_HOME: join(await temporaryFolder(), "none"), OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint };
  expect((await doctor(env)).of("traces", "fine")).toContain("takes them");
  await receiver.close();
  expect((await doctor(env)).of("traces", "warning")).toContain("does not answer");
});

it("tries the OpenID Connect provider at the address that the portal calls, by the name that it gives itself", async () => {
  const { url } = await testProvider();
  const env = { FAIRWAY_HOME: join(await temporaryFolder(), "none"), OIDC_CLIENT_ID: "fairway" };
  const allowed = { ...env, FAIRWAY_UPSTREAM_ADDRESSES: "127.0.0.1" };
  const fine = (await doctor({ ...allowed, OIDC_ISSUER: url, PUBLIC_URL: "https://portal.example.org" })).of("oidc", "fine");
  expect(fine).toContain("answers");
  expect(fine).toContain("https://portal.example.org/login and https://portal.example.org/sign-in-methods");
  expect(fine).not.toContain("logout");
  const provider = await forgingProvider();
  provider.discovery = { backchannel_logout_supported: true };
  expect((await doctor({ ...allowed, OIDC_ISSUER: provider.url })).of("oidc", "fine")).toContain("PUBLIC_URL/api/oidc/backchannel-logout");
  expect((await doctor({ ...env, OIDC_ISSUER: url })).of("oidc", "problem")).toContain("its address may not be called");
  expect((await doctor({ ...allowed, OIDC_ISSUER: `${url}/realms/other` })).of("oidc", "problem")).toContain("cannot be used");
});

it("explains a master key that does not belong to the database, or is missing", async () => {
  const database = await testDatabaseForOneTest();
  const kid = "one";
  const cipher = masterKeyOf(key).encrypt("private", privateKeyColumn.contextOf({ kid }));
  await database.db.insertInto("signing_keys").values({ kid, public_key: "public", private_key: cipher }).execute();
  const env = { FAIRWAY_HOME: await temporaryFolder(), DATABASE_URL: database.url };
  expect((await doctor({ ...env, FAIRWAY_MASTER_KEY: key.toString("hex") })).of("master key", "fine")).toContain("fits the database");
  const other = randomBytes(32).toString("hex");
  const wrong = await doctor({ ...env, FAIRWAY_MASTER_KEY: other });
  expect(wrong.of("master key", "problem")).toContain("does not fit the database");
  expect(wrong.code).toBe(1);
  expect(JSON.stringify(wrong.findings)).not.toContain(other);
  expect((await doctor(env)).of("master key", "problem")).toContain("There is no master key");
  expect(await readdir(env.FAIRWAY_HOME)).toEqual([]);
});

it("notices a database that was used by a newer version, and one that the running version has to migrate", async () => {
  const database = await testDatabaseForOneTest();
  const env = { FAIRWAY_HOME: await temporaryFolder(), DATABASE_URL: database.url, FAIRWAY_MASTER_KEY: key.toString("hex") };
  onTestFinished(() => database.destroy());
  await database.pool.query("insert into kysely_migration (name, timestamp) values ('9999-later', '')");
  const newer = await doctor(env);
  expect(newer.of("database", "problem")).toContain("does not know 9999-later");
  await database.pool.query("delete from kysely_migration where name = '9999-later'");
  await database.pool.query("insert into later_migrations (name, timestamp) values ('9999-later', '')");
  const beside = await doctor(env);
  expect(beside.of("database", "note")).toContain("A newer Fairway has added to the database (9999-later)");
  expect(beside.of("database", "problem")).toBe("");
  await database.pool.query("delete from later_migrations where name > '0040'");
  expect((await doctor(env)).of("database", "note")).toContain("The next start migrates the database (0040-flows");
});

it("calls the NiFi of every enabled environment", async () => {
  const database = await testDatabaseForOneTest();
  const nifi = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"));
  });
  await new Promise<void>((resolve) => nifi.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void nifi.close());
  const entities = entityStore(database.db, pino({ level: "silent" }), masterKeyOf(key));
  const environment = { readTimeoutMs: 5_000, connectTimeoutMs: 5_000, ca: "" };
  const { port } = nifi.address() as { port: number };
  await entities.create(storedTypes.flowEnvironments, {
    ...environment,
    name: "up",
    displayName: "Up",
    baseUrl: `http://127.0.0.1:${port}`,
  });
  await entities.create(storedTypes.flowEnvironments, { ...environment, name: "down", displayName: "Down", baseUrl: "http://127.0.0.1:1" });
  await entities.create(
    storedTypes.flowEnvironments,
    { ...environment, name: "off", displayName: "Off", baseUrl: "http://127.0.0.1:1" },
    { enabled: false },
  );
  const { of } = await doctor({
    FAIRWAY_HOME: await temporaryFolder(),
    DATABASE_URL: database.url,
    FAIRWAY_MASTER_KEY: key.toString("hex"),
    FAIRWAY_UPSTREAM_ADDRESSES: "127.0.0.1",
  });
  expect(of("flow environments", "fine")).toBe("The NiFi of the environment Up answers.");
  expect(of("flow environments", "problem")).toMatch(/^The NiFi of the environment Down does not answer: [^\n]+$/);
});

it("distinguishes the portal on its port from another program", async () => {
  const other = createServer((socket) => socket.end("hello"));
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as { port: number };
  const env = { FAIRWAY_HOME: join(await temporaryFolder(), "none") };
  expect((await doctor({ ...env, PORT: String(port) })).of("address", "problem")).toContain("Another program listens");
});

it("warns of open folders, old runtimes, little memory and few files", async () => {
  const home = await temporaryFolder();
  await mkdir(join(home, "keystores"), { mode: 0o777 });
  await writeFile(join(home, "master.key"), "", { mode: 0o644 });
  const { of } = await doctor({ FAIRWAY_HOME: home });
  expect(of("folder", "problem")).toContain("Other users of this machine may read");

  const findings = new Findings("machine");
  const machine = await thisMachine({ UV_THREADPOOL_SIZE: "4" });
  checkMachine(findings, { ...machine, nodeVersion: "20.19.0", now: new Date("2026-05-01"), memoryBytes: 1e9, openFiles: 1_024 });
  expect(findings.all.filter(({ level }) => level === "warning").map(({ what }) => what)).toEqual([
    "Node.js 20 has had no security fixes since 2026-04-30.",
    "The portal may use 0.9 GB of memory.",
    "This process may open 1024 files.",
    'UV_THREADPOOL_SIZE is "4".',
  ]);
});

it("explains its commands, and refuses unknown ones", async () => {
  expect(await run([])).toMatchObject({ code: 0, out: expect.stringContaining("doctor") as string, err: "" });
  expect(await run(["doctor", "--help"])).toMatchObject({ code: 0, out: expect.stringContaining("--json") as string });
  expect(await run(["heal"])).toMatchObject({ code: 2, out: "", err: expect.stringContaining("no command 'heal'") as string });
  expect(await run(["doctor", "--quick"])).toMatchObject({ code: 2, out: "", err: expect.stringContaining("--quick") as string });
});
