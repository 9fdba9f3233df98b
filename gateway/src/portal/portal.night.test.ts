import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, readdir, stat, writeFile } from "node:fs/promises";
import { type Server, createServer } from "node:http";
import { join } from "node:path";
import Fastify from "fastify";
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { readConfig } from "#config/config.ts";
import { notStored } from "#secrets/encrypted-column.ts";
import { privateKeyColumn } from "#identity/signing-keys.ts";
import { masterKeyOf } from "#secrets/master-key.ts";
import { temporaryFolder } from "#testing/portal-process.ts";
import { testDatabaseForOneTest } from "#testing/postgres.ts";
import { preparedHome } from "#testing/prepared-postgres.ts";
import { type Foundation, type Portal, startPortal } from "./portal.ts";

// Most tests start a database, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** A portal with a single route. */
async function start(env: Record<string, string>, onFoundation: (foundation: Foundation) => void = () => undefined): Promise<Portal> {
  const portal = await startPortal({
    config: readConfig({ PORT: "0", LOG_LEVEL: "silent", ...env }, { demo: false }),
    signal: new AbortController().signal,
    print: () => undefined,
    openService: async (foundation) => {
      onFoundation(foundation);
      const app = Fastify();
      app.get("/", () => "here");
      return { app, close: () => Promise.resolve() };
    },
  });
  onTestFinished(() => portal.stop());
  return portal;
}

async function startServer(): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return { server, port: typeof address === "object" && address ? address.port : 0 };
}

describe("a failed start explains the reason in one sentence", () => {
  it("when another Fairway uses the folder", async () => {
    const home = await preparedHome();
    const first = await start({ FAIRWAY_HOME: home });
    await expect(start({ FAIRWAY_HOME: home })).rejects.toThrow(
      `Another Fairway (process ${process.pid}) is using the folder ${home}: stop it, or choose another FAIRWAY_HOME.`,
    );
    expect((await fetch(first.address)).status).toBe(200);
  });

  it("when the port is in use, before a database is created", async () => {
    const { port } = await startServer();
    const home = await temporaryFolder();
    await expect(start({ FAIRWAY_HOME: home, PORT: String(port) })).rejects.toThrow(
      `Port ${port} is already in use: stop the program that listens there, or set PORT to another one.`,
    );
    expect(await readdir(home)).not.toContain("postgres");
  });

  it("when HOST is not an address of this machine", async () => {
    const { port } = await startServer();
    await expect(start({ FAIRWAY_HOME: await temporaryFolder(), HOST: "192.0.2.1", PORT: String(port) })).rejects.toThrow(
      "HOST 192.0.2.1 is not an address of this machine.",
    );
  });

  it("when the folder cannot be written", async () => {
    const file = join(await temporaryFolder(), "file");
    await writeFile(file, "");
    await expect(start({ FAIRWAY_HOME: join(file, "home") })).rejects.toThrow(
      `The folder ${file}/home cannot be written (ENOTDIR): set FAIRWAY_HOME to a folder that this user may write to.`,
    );
    await expect(start({ FAIRWAY_HOME: "/proc/fairway/home" })).rejects.toThrow("The folder /proc/fairway/home cannot be written");
  });

  it("when the master key of an existing database is missing", async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, "postgres/data"), { recursive: true });
    await expect(start({ FAIRWAY_HOME: home })).rejects.toThrow(
      `${home} contains a database, but its master key is missing: put ${home}/master.key back, or set FAIRWAY_MASTER_KEY.`,
    );
  });

  it("when the database of DATABASE_URL is unreachable, refuses the password, or is not PostgreSQL", async () => {
    const home = await temporaryFolder();
    const { server, port } = await startServer();
    const url = `postgres://ada:hunter2@127.0.0.1:${port}/fairway`;
    await expect(start({ FAIRWAY_HOME: home, DATABASE_URL: url })).rejects.toThrow(
      /^The database of DATABASE_URL \(127\.0\.0\.1:\d+\) cannot be reached/,
    );
    server.close();
    await once(server, "close");
    await expect(start({ FAIRWAY_HOME: home, DATABASE_URL: url })).rejects.toThrow(
      `The database of DATABASE_URL (127.0.0.1:${port}) cannot be reached (ECONNREFUSED).`,
    );
    const wrong = new URL(inject("testPostgres").url);
    wrong.password = "hunter2";
    await expect(start({ FAIRWAY_HOME: home, DATABASE_URL: wrong.href })).rejects.toThrow(
      `The database of DATABASE_URL (${wrong.host}) refuses the connection: password authentication failed for user "fairway".`,
    );
  });

  it("and stops everything that was already started", async () => {
    const home = await preparedHome();
    const config = readConfig({ FAIRWAY_HOME: home, PORT: "0", LOG_LEVEL: "silent" }, { demo: false });
    const openService = () => Promise.reject(new Error("no service today"));
    await expect(startPortal({ config, openService, print: () => undefined, signal: new AbortController().signal })).rejects.toThrow(
      "no service today",
    );
    // A database server that shut down cleanly removes its pid file, and the folder is unlocked.
    expect(await readdir(join(home, "postgres/data"))).not.toContain("postmaster.pid");
    await start({ FAIRWAY_HOME: home });
  });
});

describe("a running portal", () => {
  it("keeps its data across restarts, with secrets readable by their owner only", async () => {
    const home = join(await temporaryFolder(), "new/home");
    let foundation: Foundation | undefined;
    const onFoundation = (opened: Foundation) => (foundation = opened);
    const first = await start({ FAIRWAY_HOME: home }, onFoundation);
    await foundation?.database.pool.query("insert into roles (id, name) values ('r1', 'someone')");
    const text = foundation?.masterKey.encrypt("secret", notStored("place")) ?? "";
    await first.stop();
    await expect(fetch(first.address)).rejects.toThrow("fetch failed");
    await start({ FAIRWAY_HOME: home }, onFoundation);
    expect((await foundation?.database.pool.query("select name from roles"))?.rows).toEqual([{ name: "someone" }]);
    expect(foundation?.masterKey.decrypt(text, "place").toString()).toBe("secret");
    const paths = ["", "master.key", "postgres", "postgres/data", "postgres/data/fairway-password"];
    expect(await Promise.all(paths.map(async (path) => (await stat(join(home, path))).mode & 0o077))).toEqual([0, 0, 0, 0, 0]);
  });

  it("shares an external database with other gateways on the same folder", async () => {
    const env = { FAIRWAY_HOME: await temporaryFolder(), DATABASE_URL: inject("testPostgres").url };
    await start(env);
    await start(env);
    expect(await readdir(env.FAIRWAY_HOME)).toEqual(["master.key"]);
  });

  it("stops if its master key was replaced while it was cut off from the database", async () => {
    const database = await testDatabaseForOneTest();
    const portal = await start({ FAIRWAY_HOME: await temporaryFolder(), DATABASE_URL: database.url });
    const private_key = masterKeyOf(randomBytes(32)).encrypt("private", privateKeyColumn.contextOf({ kid: "one" }));
    await database.db.insertInto("signing_keys").values({ kid: "one", public_key: "public", private_key }).execute();
    await database.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'fairway notifications' and datname = current_database()",
    );
    expect((await portal.broken).message).toContain("The master key was replaced");
  });

  it("logs to a file in demo mode, without secrets, and rotates it", async () => {
    const home = await temporaryFolder();
    const config = readConfig(
      { FAIRWAY_HOME: home, PORT: "0", DATABASE_URL: inject("testPostgres").url, FAIRWAY_TYPO: "1" },
      { demo: true },
    );
    await mkdir(join(home, "logs"));
    await writeFile(join(home, "logs/fairway.log"), "x".repeat(10_000_001));
    const openService = ({ log }: Foundation) => {
      log.info({ password: "hunter2", headers: { authorization: "Bearer hunter2" }, body: { refresh_token: "hunter2" } }, "signing in");
      log.info({ req: { method: "GET", url: "/files?signature=hunter2", ip: "127.0.0.1" } }, "download");
      log.error({ err: Object.assign(new Error("broken"), { client: { password: "hunter2" } }) }, "failed");
      return Promise.resolve({ app: Fastify(), close: () => Promise.resolve() });
    };
    const portal = await startPortal({ config, openService, print: () => undefined, signal: new AbortController().signal });
    await portal.stop();
    const log = await readFile(join(home, "logs/fairway.log"), "utf8");
    expect(log).toContain("FAIRWAY_TYPO is not one that Fairway knows");
    expect(log.match(/signing in|download|"message":"broken"/g)).toHaveLength(3);
    expect(log).not.toContain("hunter2");
    expect((await stat(join(home, "logs/fairway.log.1"))).size).toBe(10_000_001);
  });
});
