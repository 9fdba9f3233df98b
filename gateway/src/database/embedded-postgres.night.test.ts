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
import { bundledProgram } from "#testing/bundled-program.ts";
import { temporaryFolder } from "#testing/portal-process.ts";
import { preparedHome, preparedPostgres } from "#testing/prepared-postgres.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";
import { postgresBinaries } from "./postgres-binaries.ts";
import { findPostgresUser, giveFolder, possibleUsers } from "./postgres-user.ts";

// Most tests start a database, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const log = pino({ level: "silent" });
const run = promisify(execFile);

async function start(folder: string, users?: Parameters<typeof findPostgresUser>[2]): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ folder, log, ...(users ? { users } : {}) });
  onTestFinished(() => server.stop());
  return server;
}

async function queryValue(url: string, statement: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query({ text: statement, rowMode: "array" });
    return (rows as unknown[][])[0]?.[0];
  } finally {
    await client.end();
  }
}

describe("the embedded PostgreSQL", () => {
  let folder = "";
  let server: EmbeddedPostgres;
  const operatorVariables = { PGPORT: "1", PGDATA: "/nowhere", PGUSER: "nobody", PGHOST: "192.0.2.1" };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "fairway-test-"));
    await mkdir(join(folder, "unfinished-1/data/base"), { recursive: true });
    for (const [name, value] of Object.entries(operatorVariables)) vi.stubEnv(name, value);
    server = await startEmbeddedPostgres({ folder, log });
    vi.unstubAllEnvs();
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("is PostgreSQL 18 with durable commits", async () => {
    const durability = "select string_agg(setting, ' ' order by name) from pg_settings where name in ('fsync', 'synchronous_commit')";
    expect(await queryValue(server.url, "show server_version")).toMatch(/^18\./);
    expect(await queryValue(server.url, durability)).toBe("on on");
  });

  it("accepts only connections with a password on loopback", async () => {
    expect(await queryValue(server.url, "show listen_addresses")).toBe("127.0.0.1");
    expect(await queryValue(server.url, "show unix_socket_directories")).toBe("");
    expect(await queryValue(server.url, "select count(*) from pg_hba_file_rules where auth_method <> 'scram-sha-256'")).toBe("0");
    const wrong = new URL(server.url);
    wrong.password = "guessed";
    await expect(queryValue(wrong.href, "select 1")).rejects.toThrow("password authentication failed");
    expect((await stat(join(folder, "data/fairway-password"))).mode & 0o777).toBe(0o600);
  });

  it("orders texts by code point and lowercases non-ASCII letters, regardless of the system locale", async () => {
    expect(await queryValue(server.url, "select string_agg(word, ' ' order by word) from unnest(array['é', 'b', 'a', 'B']) word")).toBe(
      "B a b é",
    );
    expect(await queryValue(server.url, "select lower('ÄÉŽ')")).toBe("äéž");
  });

  it("starts although an earlier first start was killed, and removes its leftovers", async () => {
    expect(await readdir(folder)).toEqual(["data"]);
  });

  it("ignores PG variables of the environment", async () => {
    expect(await queryValue(server.url, "select current_user")).toBe("fairway");
    expect(await queryValue(server.url, "show data_directory")).toBe(join(folder, "data"));
    expect(await queryValue(server.url, "show port")).toBe(new URL(server.url).port);
  });
});

describe("a first start", () => {
  it("fails if the folder contains something else", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "data"));
    await writeFile(join(folder, "data/letter.txt"), "dear");
    await expect(startEmbeddedPostgres({ folder, log })).rejects.toThrow(
      `The folder ${folder}/data contains something that is not a Fairway database: move it away, or choose another FAIRWAY_HOME.`,
    );
    expect(await readdir(folder)).toEqual(["data"]);
  });

  it("points to DATABASE_URL on unsupported platforms", async () => {
    await expect(postgresBinaries("darwin-arm64")).rejects.toThrow(
      "Fairway brings its own PostgreSQL for Linux (x64, arm64) only, not for darwin-arm64: set DATABASE_URL to a PostgreSQL 15 or newer.",
    );
  });

  it("points to DATABASE_URL if its programs cannot run", async () => {
    await expect(findPostgresUser("/nowhere/postgres", await temporaryFolder())).rejects.toThrow(
      "set DATABASE_URL to a PostgreSQL 15 or newer",
    );
  });
});

describe("a stopped server", () => {
  it("resolves exited, and has its data after the next start", async () => {
    const folder = await preparedPostgres();
    const first = await start(folder);
    await queryValue(first.url, "create table saved as select 7 as number");
    await first.stop();
    await first.exited;
    const second = await start(folder);
    expect(await queryValue(second.url, "select number from saved")).toBe(7);
  });

  it("starts again if the process id in its pid file now belongs to another process", async () => {
    const folder = await preparedPostgres();
    await writeFile(join(folder, "data/postmaster.pid"), `${process.pid}\n${folder}/data\n1\n5432\n\n127.0.0.1\n`);
    const { url } = await start(folder);
    expect(await queryValue(url, "select 1")).toBe(1);
  });

  it("that outlived its killed parent is ended by the next start", async () => {
    const folder = await preparedPostgres();
    // Without setpriv, the server is not signaled when its parent dies.
    const programs = join(await temporaryFolder(), "bin");
    await mkdir(programs);
    for (const name of ["sh", "unshare", "chown"]) await symlink((await run("which", [name])).stdout.trim(), join(programs, name));
    const program = await bundledProgram(new URL("embedded-postgres.ts", import.meta.url));
    const script = `
      const { startEmbeddedPostgres } = await import(${JSON.stringify(program)});
      const { default: pino } = await import("pino");
      const { url } = await startEmbeddedPostgres({ folder: ${JSON.stringify(folder)}, log: pino({ level: "silent" }) });
      console.log(url);
      setInterval(() => {}, 1_000);`;
    const parent = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      cwd: fileURLToPath(new URL(".", import.meta.url)),
      env: { PATH: programs },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [url] = (await once(parent.stdout, "data")).map((text) => String(text).trim());
    await queryValue(url ?? "", "create table saved as select 7 as number");
    parent.kill("SIGKILL");
    await once(parent, "exit");
    expect(await queryValue(url ?? "", "select number from saved")).toBe(7);
    const successor = await start(folder);
    await expect(queryValue(url ?? "", "select 1")).rejects.toThrow("ECONNREFUSED");
    expect(await queryValue(successor.url, "select number from saved")).toBe(7);
  });
});

describe.runIf(process.getuid?.() === 0)("as root", () => {
  it("runs as an unprivileged user if user namespaces are not allowed, in its folder below a private one", async () => {
    const home = await temporaryFolder();
    const folder = join(home, "postgres");
    await mkdir(folder, { mode: 0o700 });
    const unprivileged = (await possibleUsers()).filter(({ uid }) => uid !== undefined);
    const { url } = await start(folder, unprivileged);
    const [postmaster] = (await readFile(join(folder, "data/postmaster.pid"), "utf8")).split("\n");
    expect((await stat(`/proc/${postmaster}`)).uid).toBe(unprivileged[0]?.uid);
    expect((await stat(join(folder, "data"))).uid).toBe(unprivileged[0]?.uid);
    expect((await stat(home)).mode & 0o777).toBe(0o711);
    await queryValue(url, "create table saved as select 7 as number");
  });

  it("keeps its data when the way of running it changes", async () => {
    const folder = join(await preparedHome(), "postgres");
    const [namespace, nobody] = await possibleUsers();
    for (const [starts, user] of [namespace, nobody, namespace].entries()) {
      const server = await start(folder, user ? [user] : []);
      await queryValue(server.url, "create table if not exists saved (number int)");
      expect(await queryValue(server.url, "select count(*) from saved")).toBe(String(starts));
      await queryValue(server.url, "insert into saved values (1)");
      await server.stop();
    }
  });
});

it("refuses a data folder of another user", async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "data"));
  const otherUser = { wrapper: [], uid: undefined, gid: undefined, owner: { uid: 4_294_000, gid: 4_294_000 } };
  await expect(giveFolder(join(folder, "data"), otherUser, 1_000)).rejects.toThrow("belongs to another user");
});
