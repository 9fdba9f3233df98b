import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { appendFile, lstat, mkdir, readFile, readdir, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import pino from "pino";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { startEmbeddedPostgres } from "#database/embedded-postgres.ts";
import { recordTables } from "#database/migration-record.ts";
import { fillEveryTable } from "#testing/fill-every-table.ts";
import { PortalProcess, temporaryFolder } from "#testing/portal-process.ts";
import { testDatabaseForOneTest } from "#testing/postgres.ts";
import { preparedHome } from "#testing/prepared-postgres.ts";
import { operatorCommand as run } from "#testing/run-command.ts";
import { manifestFile, manifestSumFile, sumOf } from "./backup-format.ts";

const password = "correct horse battery staple";

/** Hashes of all rows of each table, and the state of every sequence. */
async function contentsOf(client: Client): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  const { rows } = await client.query<{ name: string; kind: string }>(
    "select relname as name, relkind::text as kind from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'S') order by relname",
  );
  for (const { name, kind } of rows) {
    // Restoring migrates anew, at another time.
    const row = recordTables.has(name) ? "name" : "t::text";
    const { rows: found } = await client.query<{ content: string | null }>(
      kind === "r"
        ? `select md5(string_agg(${row}, E'\\n' order by ${row} collate "C")) as content from ${client.escapeIdentifier(name)} t`
        : `select last_value || ' ' || is_called as content from ${client.escapeIdentifier(name)}`,
    );
    contents[name] = String(found[0]?.content);
  }
  return contents;
}

async function withDatabase<Result>(home: string, use: (client: Client) => Promise<Result>): Promise<Result> {
  const server = await startEmbeddedPostgres({ folder: join(home, "postgres"), log: pino({ level: "silent" }) });
  const client = new Client({ connectionString: server.url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
    await server.stop();
  }
}

async function hashesBelow(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const hashes = files.map(async (file) => {
    const { mtimeMs } = await lstat(file);
    return [
      file.slice(folder.length + 1),
      `${createHash("sha256")
        .update(await readFile(file))
        .digest("hex")} ${Math.round(mtimeMs)}`,
    ] as const;
  });
  return Object.fromEntries((await Promise.all(hashes)).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const keptFolders = ["files", "datasets", "exported", "keystores", "own-data/kept"];

async function filesOfPortal(home: string): Promise<Record<string, string>> {
  const files = Object.entries(await hashesBelow(home));
  return Object.fromEntries(files.filter(([path]) => keptFolders.some((folder) => path.startsWith(`${folder}/`))));
}

/** A portal that was used, its backup with the key, and what was in it. */
const original = {
  home: "",
  backup: "",
  passphraseFile: "",
  tables: {} as Record<string, string>,
  files: {} as Record<string, string>,
};
const cleanUps: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
});

beforeAll(async () => {
  const home = await preparedHome((cleanUp) => cleanUps.push(cleanUp));
  const onClose = (cleanUp: () => Promise<void>): void => void cleanUps.push(cleanUp);
  const env = { FAIRWAY_HOME: home, FAIRWAY_ADMIN_USERNAME: "root", FAIRWAY_ADMIN_PASSWORD: password };
  const portal = await PortalProcess.start(env, { program: "gateway", onClose });
  await portal.address();
  await portal.stop();
  for (const folder of keptFolders) await mkdir(join(home, folder, "a b/ü"), { recursive: true });
  await writeFile(join(home, "files/a b/ü/1.bin"), randomBytes(3_000_000));
  await writeFile(join(home, "datasets/empty.csv"), "");
  await writeFile(join(home, "exported/one"), "rows");
  await writeFile(join(home, "keystores/own.pem"), "certificate");
  await writeFile(join(home, "own-data/kept/a b/ü/rows.parquet"), randomBytes(1_000));
  await mkdir(join(home, "own-data/scratch"), { recursive: true });
  await writeFile(join(home, "own-data/scratch/unfinished.parquet"), "is written again");
  await mkdir(join(home, "converted"), { recursive: true });
  await writeFile(join(home, "converted/again.csv"), "can be made again");
  for (const folder of ["cache/s3/gateway", "copies"]) {
    await mkdir(join(home, folder), { recursive: true });
    await writeFile(join(home, folder, "again.csv"), "can be copied again");
  }
  original.home = home;
  original.tables = await withDatabase(home, async (client) => {
    // More than fits into the buffers of a connection.
    await client.query(
      "insert into entity_revisions (type, entity_id, action, after) select 'notices', n::text, 'create', to_jsonb(repeat('x', 1000000)) from generate_series(1, 5) n",
    );
    await client.query(fillEveryTable);
    return contentsOf(client);
  });
  original.files = await filesOfPortal(home);
  const folder = await temporaryFolder(onClose);
  original.backup = join(folder, "backup");
  original.passphraseFile = join(folder, "passphrase");
  await writeFile(original.passphraseFile, "a passphrase for the key\n");
  const copies = { FAIRWAY_HOME: home, FAIRWAY_SETTINGS: JSON.stringify({ s3: { cacheFolder: "copies" } }) };
  const done = await run(["backup", original.backup, `--passphrase-file=${original.passphraseFile}`], copies);
  if (done.code !== 0) throw new Error(done.err);
}, 120_000);

it("restores every table, sequence and file byte for byte into an empty folder, with the key", async () => {
  expect(Object.values(original.tables).filter((content) => content === "null")).toEqual([]);
  const home = join(await temporaryFolder(), "new");
  const done = await run(["restore", original.backup, `--passphrase-file=${original.passphraseFile}`], { FAIRWAY_HOME: home });
  expect(done).toMatchObject({ code: 0, err: "" });
  expect(await withDatabase(home, contentsOf)).toEqual(original.tables);
  expect(await filesOfPortal(home)).toEqual(original.files);
  expect(await readFile(join(home, "master.key"), "utf8")).toBe(await readFile(join(original.home, "master.key"), "utf8"));
  expect(await readdir(join(home, "own-data"))).not.toContain("scratch");
  for (const folder of ["converted", "cache", "copies"]) expect(await readdir(home)).not.toContain(folder);

  const portal = await PortalProcess.start({ FAIRWAY_HOME: home }, { program: "gateway" });
  // The master key fits what is encrypted: a portal refuses to start with another one.
  expect((await fetch(`${await portal.address()}/api/health/ready`)).status).toBe(200);
});

it("is closed to other users of the machine", async () => {
  const { stdout } = await promisify(execFile)("find", [original.backup, "-perm", "/077"]);
  expect(stdout).toBe("");
});

it("restores into an empty external database, and refuses one that is not empty", async () => {
  const database = await testDatabaseForOneTest();
  onTestFinished(() => database.destroy());
  const key = (await readFile(join(original.home, "master.key"), "utf8")).trim();
  const env = { DATABASE_URL: database.url, FAIRWAY_HOME: await temporaryFolder(), FAIRWAY_MASTER_KEY: key };
  const refused = await run(["restore", original.backup], env);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("is not empty") as string });
  expect(await readdir(env.FAIRWAY_HOME)).toEqual([]);
  await database.pool.query("drop schema public cascade; create schema public");
  expect(await run(["restore", original.backup], env)).toMatchObject({ code: 0, err: "" });
  const client = new Client({ connectionString: database.url });
  await client.connect();
  expect(await contentsOf(client)).toEqual(original.tables);
  await client.end();
  expect(await filesOfPortal(env.FAIRWAY_HOME)).toEqual(original.files);
  expect(await run(["backup", join(await temporaryFolder(), "again")], env)).toMatchObject({ code: 0, err: "" });
});

async function copyOfBackup(): Promise<string> {
  const copy = join(await temporaryFolder(), "backup");
  await promisify(execFile)("cp", ["-a", original.backup, copy]);
  return copy;
}

it.each<[string, (backup: string) => Promise<unknown>]>([
  ["with a changed table", (backup) => appendFile(join(backup, "tables/users.copy"), "x")],
  ["with a cut file", (backup) => truncate(join(backup, "files/files/a b/ü/1.bin"), 10)],
  ["without a file", (backup) => rm(join(backup, "files/exported/one"))],
  ["with a changed list", (backup) => appendFile(join(backup, "files.jsonl"), "{}\n")],
  ["with a changed manifest", (backup) => appendFile(join(backup, manifestFile), " ")],
  ["without a manifest", (backup) => rm(join(backup, manifestFile))],
  [
    "of a newer version",
    async (backup) => {
      const text = (await readFile(join(backup, manifestFile), "utf8")).replace('"0001-accounts"', '"0001-accounts", "9999-later"');
      await writeFile(join(backup, manifestFile), text);
      await writeFile(join(backup, manifestSumFile), sumOf(text));
    },
  ],
])("refuses a backup %s, and changes nothing", async (_what, damage) => {
  const backup = await copyOfBackup();
  await damage(backup);
  const folder = await temporaryFolder();
  const { code, err } = await run(["restore", backup], { FAIRWAY_HOME: join(folder, "new") });
  expect(code).toBe(1);
  expect(err).toMatch(/^The backup .*(?:damaged|incomplete|newer Fairway)|is not a backup of Fairway/);
  expect(await readdir(folder)).toEqual([]);
});

it("refuses a folder that is in use, a wrong passphrase and another key", async () => {
  const used = await temporaryFolder();
  await writeFile(join(used, "notes.txt"), "mine");
  expect(await run(["restore", original.backup], { FAIRWAY_HOME: used })).toMatchObject({
    code: 1,
    err: expect.stringContaining("is not empty (notes.txt)") as string,
  });
  const empty = await temporaryFolder();
  const passphrase = join(used, "passphrase");
  await writeFile(passphrase, "some other passphrase");
  expect(await run(["restore", original.backup, `--passphrase-file=${passphrase}`], { FAIRWAY_HOME: empty })).toMatchObject({
    code: 1,
    err: expect.stringContaining("passphrase is not the one") as string,
  });
  const other = { FAIRWAY_HOME: empty, FAIRWAY_MASTER_KEY: randomBytes(32).toString("hex") };
  expect(await run(["restore", original.backup], other)).toMatchObject({
    code: 1,
    err: expect.stringContaining("is not the backup's") as string,
  });
  expect(await readdir(empty)).toEqual([]);
  expect(await run(["backup", used], { FAIRWAY_HOME: original.home })).toMatchObject({
    code: 1,
    err: expect.stringContaining("exists already") as string,
  });
});
