import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "pg";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "#testing/portal-process.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";
import { postgresBinaries } from "./postgres-binaries.ts";
import { findPostgresUser, giveFolder, possibleUsers } from "./postgres-user.ts";

// Most start a database; a busy machine takes its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const log = pino({ level: "silent" });
const run = promisify(execFile);

async function started(folder: string, users?: Parameters<typeof findPostgresUser>[2]): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ folder, log, ...(users ? { users } : {}) });
  onTestFinished(() => server.stop());
  return server;
}

async function ask(url: string, question: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query({ text: question, rowMode: "array" });
    return (rows as unknown[][])[0]?.[0];
  } finally {
    await client.end();
  }
}

describe("a server", () => {
  let folder = "";
  let server: EmbeddedPostgres;
  const operators = { PGPORT: "1", PGDATA: "/nowhere", PGUSER: "nobody", PGHOST: "192.0.2.1" };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "fairway-test-"));
    for (const [name, value] of Object.entries(operators)) vi.stubEnv(name, value);
    server = await startEmbeddedPostgres({ folder, log });
    vi.unstubAllEnvs();
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("speaks PostgreSQL 18 and keeps what it promises on disk", async () => {
    const durability = "select string_agg(setting, ' ' order by name) from pg_settings where name in ('fsync', 'synchronous_commit')";
    expect(await ask(server.url, "show server_version")).toMatch(/^18\./);
    expect(await ask(server.url, durability)).toBe("on on");
  });

  it("is reached by password on loopback only", async () => {
    expect(await ask(server.url, "show listen_addresses")).toBe("127.0.0.1");
    expect(await ask(server.url, "show unix_socket_directories")).toBe("");
    expect(await ask(server.url, "select count(*) from pg_hba_file_rules where auth_method <> 'scram-sha-256'")).toBe("0");
    const wrong = new URL(server.url);
    wrong.password = "guessed";
    await expect(ask(wrong.href, "select 1")).rejects.toThrow("password authentication failed");
    expect((await stat(join(folder, "data/fairway-password"))).mode & 0o777).toBe(0o600);
  });

  it("orders texts by code point and knows letters beyond ASCII, whatever the system's language", async () => {
    expect(await ask(server.url, "select string_agg(word, ' ' order by word) from unnest(array['é', 'b', 'a', 'B']) word")).toBe("B a b é");
    expect(await ask(server.url, "select lower('ÄÉŽ')")).toBe("äéž");
  });

  it("takes neither port nor folder nor user from PG variables of the operator", async () => {
    expect(await ask(server.url, "select current_user")).toBe("fairway");
    expect(await ask(server.url, "show data_directory")).toBe(join(folder, "data"));
    expect(await ask(server.url, "show port")).toBe(new URL(server.url).port);
  });
});

describe("a first start", () => {
  it("starts where an earlier first start was killed in the middle, and clears its leftovers away", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "unfinished-1/data/base"), { recursive: true });
    await started(folder);
    expect(await readdir(folder)).toEqual(["data"]);
  });

  it("says so when the folder holds something else", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "data"));
    await writeFile(join(folder, "data/letter.txt"), "dear");
    await expect(startEmbeddedPostgres({ folder, log })).rejects.toThrow(
      `The folder ${folder}/data holds something that is not a Fairway database: move it away, or choose another FAIRWAY_HOME.`,
    );
    expect(await readdir(folder)).toEqual(["data"]);
  });

  it("names DATABASE_URL on a system it has no programs for", async () => {
    await expect(postgresBinaries("darwin-arm64")).rejects.toThrow(
      "Fairway brings its own PostgreSQL for Linux (x64, arm64) only, not for darwin-arm64: set DATABASE_URL to a PostgreSQL 15 or newer.",
    );
  });

  it("names DATABASE_URL where its programs do not run", async () => {
    await expect(findPostgresUser("/nowhere/postgres", await temporaryFolder())).rejects.toThrow(
      "set DATABASE_URL to a PostgreSQL 15 or newer",
    );
  });
});

describe("a server that is stopped or ends", () => {
  it("says that it has ended, and its data is there at the next start", async () => {
    const folder = await temporaryFolder();
    const first = await started(folder);
    await ask(first.url, "create table kept as select 7 as number");
    await first.stop();
    await first.exited;
    const second = await started(folder);
    expect(await ask(second.url, "select number from kept")).toBe(7);
  });

  it("is started again after a process id in its file went to another process", async () => {
    const folder = await temporaryFolder();
    await (await started(folder)).stop();
    await writeFile(join(folder, "data/postmaster.pid"), `${process.pid}\n${folder}/data\n1\n5432\n\n127.0.0.1\n`);
    const { url } = await started(folder);
    expect(await ask(url, "select 1")).toBe(1);
  });

  it("is ended first when it was left behind by a killed process", async () => {
    const folder = await temporaryFolder();
    // Without setpriv nobody tells the server that its parent is gone.
    const programs = join(await temporaryFolder(), "bin");
    await mkdir(programs);
    for (const name of ["sh", "unshare", "chown"]) await symlink((await run("which", [name])).stdout.trim(), join(programs, name));
    const starting = `
      const { startEmbeddedPostgres } = await import("./embedded-postgres.ts");
      const { default: pino } = await import("pino");
      const { url } = await startEmbeddedPostgres({ folder: ${JSON.stringify(folder)}, log: pino({ level: "silent" }) });
      console.log(url);
      setInterval(() => {}, 1_000);`;
    const parent = spawn(process.execPath, ["--conditions=source", "--import", "tsx", "--input-type=module", "--eval", starting], {
      cwd: fileURLToPath(new URL(".", import.meta.url)),
      env: { PATH: programs },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [url] = (await once(parent.stdout, "data")).map((text) => String(text).trim());
    await ask(url ?? "", "create table kept as select 7 as number");
    parent.kill("SIGKILL");
    await once(parent, "exit");
    expect(await ask(url ?? "", "select number from kept")).toBe(7);
    const successor = await started(folder);
    await expect(ask(url ?? "", "select 1")).rejects.toThrow("ECONNREFUSED");
    expect(await ask(successor.url, "select number from kept")).toBe(7);
  });
});

describe.runIf(process.getuid?.() === 0)("as root", () => {
  it("runs as an unprivileged user where user namespaces are not allowed, on a folder of its own below a closed one", async () => {
    const home = await temporaryFolder();
    const folder = join(home, "postgres");
    await mkdir(folder, { mode: 0o700 });
    const unprivileged = (await possibleUsers()).filter(({ uid }) => uid !== undefined);
    const { url } = await started(folder, unprivileged);
    const [postmaster] = (await readFile(join(folder, "data/postmaster.pid"), "utf8")).split("\n");
    expect((await stat(`/proc/${postmaster}`)).uid).toBe(unprivileged[0]?.uid);
    expect((await stat(join(folder, "data"))).uid).toBe(unprivileged[0]?.uid);
    expect((await stat(home)).mode & 0o777).toBe(0o711);
    await ask(url, "create table kept as select 7 as number");
  });

  it("moves on to the other way of running with the data it has", async () => {
    const home = await temporaryFolder();
    const folder = join(home, "postgres");
    const [namespace, nobody] = await possibleUsers();
    for (const user of [namespace, nobody, namespace]) {
      const server = await started(folder, user ? [user] : []);
      await ask(server.url, "create table if not exists kept (number int)");
      await ask(server.url, "insert into kept values (1)");
      await server.stop();
    }
    const last = await started(folder);
    expect(await ask(last.url, "select count(*) from kept")).toBe("3");
  });
});

it("refuses a data folder of another user in one sentence", async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "data"));
  const other = { through: [], uid: undefined, gid: undefined, owner: { uid: 4_294_000, gid: 4_294_000 } };
  await expect(giveFolder(join(folder, "data"), other, 1_000)).rejects.toThrow("belongs to another user");
});
