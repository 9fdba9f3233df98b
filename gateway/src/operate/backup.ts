import { createHash, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { lstat, mkdir, open, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { Client } from "pg";
import pino from "pino";
import type { Config } from "#config/config.ts";
import { readMigrationRecord } from "#database/migration-record.ts";
import { flushFolder } from "#process/flush-folder.ts";
import { decodeMasterKey, masterKeyFile, masterKeyOf } from "#secrets/master-key.ts";
import { requireStoredKey, settleReplacement, storedKeyId } from "#secrets/replacement.ts";
import { StartFailure } from "#process/start-failure.ts";
import { systemCode } from "#process/system-code.ts";
import { version } from "#process/version.ts";
import { type Manifest, Meter, fileListFile, filesFolder, manifestFile, manifestSumFile, sumOf, tableFile } from "./backup-format.ts";
import { copyOut } from "./copy-stream.ts";
import { openOperatedDatabase } from "./operated-database.ts";
import { wrapKey } from "./wrapped-key.ts";

/** Temporary, made anew, or stored in another way. Everything else in the portal's folder belongs to a backup. */
const leftOut = new Set(["cache", "converted", "engine", "exports", "lock", "logs", "nifi", "postgres", "web-files"]);
/** Unfinished files of own data: the step that writes them is repeated. */
const leftOutBelow = new Set(["own-data/scratch", "own-data/unfinished"]);

/** Lets one command at a time work on a database. Arbitrary, but must not be used by another advisory lock. */
const operatorLock = 7_102_090;

/** Makes values readable by every version and setting of PostgreSQL. */
const sessionSettings =
  "set statement_timeout = 0; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC'; set bytea_output = 'hex'; set extra_float_digits = 1; set client_encoding = 'UTF8'";

export interface BackupResult {
  readonly manifest: Manifest;
  /** Links and other special files below the portal's folder, which are not backed up. */
  readonly skipped: readonly string[];
}

/**
 * Writes database and files to a new folder, which gets its name when it is whole. The tables are of one moment; files are copied
 * right after it. Uses the memory of one row. Throws StartFailure.
 */
export async function backUp(config: Config, target: string, passphrase: string | undefined): Promise<BackupResult> {
  const folder = resolve(target);
  if (await exists(folder)) throw new StartFailure(`${folder} exists already: name a new folder.`);
  if (!relative(config.home, folder).startsWith("..")) throw new StartFailure("A backup cannot be inside the portal's own folder.");
  await readMasterKey(config);
  const unfinished = `${folder}.unfinished-${randomBytes(4).toString("hex")}`;
  const database = await openOperatedDatabase(config, pino({ level: "silent" }));
  try {
    const key = await fittingKey(config, database.url);
    await mkdir(join(unfinished, "tables"), { recursive: true, mode: 0o700 });
    const stored = await backUpDatabase(database.url, unfinished);
    const { skipped, ...files } = await backUpFiles(config, unfinished);
    const manifest: Manifest = {
      format: "fairway-backup",
      formatVersion: 1,
      version,
      createdAt: new Date().toISOString(),
      ...stored,
      masterKey: { id: masterKeyOf(key).id, wrapped: passphrase === undefined ? null : wrapKey(key, passphrase) },
      files,
    };
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    await writeFile(join(unfinished, manifestFile), text, { mode: 0o600 });
    await writeFile(join(unfinished, manifestSumFile), `${sumOf(text)}\n`, { mode: 0o600 });
    await flushFolder(unfinished);
    await rename(unfinished, folder);
    await flushFolder(dirname(folder));
    return { manifest, skipped };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  } finally {
    await database.close();
  }
}

/** The key that the database is encrypted with, after a replacement that was interrupted has been finished. */
async function fittingKey(config: Config, url: string): Promise<Buffer> {
  const client = await openSession(url);
  try {
    const storedId = await storedKeyId(client);
    if (config.masterKey === undefined) await settleReplacement(config.home, storedId);
    const key = await readMasterKey(config);
    requireStoredKey(masterKeyOf(key), storedId);
    return key;
  } finally {
    await client.end();
  }
}

/** The portal's key as it is configured. Unlike a start, never creates one. Throws StartFailure. */
export async function readMasterKey({ masterKey, home }: Pick<Config, "masterKey" | "home">): Promise<Buffer> {
  const key = decodeMasterKey(masterKey ?? (await readFile(masterKeyFile(home), "utf8").catch(() => "")));
  if (key !== undefined) return key;
  throw new StartFailure("There is no master key: put master.key back into the portal's folder, or set FAIRWAY_MASTER_KEY.");
}

async function backUpDatabase(
  url: string,
  folder: string,
): Promise<Pick<Manifest, "postgres" | "migrations" | "tables" | "sequences" | "ownDataBuckets">> {
  const client = await openSession(url);
  try {
    await client.query("begin isolation level repeatable read read only");
    const { rows: relations } = await client.query<{ name: string; kind: string }>(
      "select relname as name, relkind::text as kind from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'm', 'f') order by relname",
    );
    const other = relations.find(({ kind }) => kind !== "r");
    if (other) throw new StartFailure(`The database contains ${other.name}, which is not a plain table and cannot be backed up.`);
    const applied = await readMigrationRecord(client);
    if (applied === undefined) throw new StartFailure("The database contains no portal yet.");
    const tables: Manifest["tables"] = [];
    for (const { name } of relations) tables.push(await backUpTable(client, name, folder));
    // Sequences know no snapshot: read last, they are never behind the rows.
    const { rows: sequences } = await client.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'S' order by relname",
    );
    const states: Manifest["sequences"] = [];
    for (const { name } of sequences) {
      const { rows } = await client.query<{ lastValue: string; isCalled: boolean }>(
        `select last_value::text as "lastValue", is_called as "isCalled" from ${client.escapeIdentifier(name)}`,
      );
      for (const state of rows) states.push({ name, ...state });
    }
    const { rows: server } = await client.query<{ version: string }>("select current_setting('server_version') as version");
    const names = applied.map(({ name }) => name);
    const ownDataBuckets = names.includes(bucketsMigration) ? await bucketsOf(client) : [];
    return { postgres: server[0]?.version ?? "", migrations: names, tables, sequences: states, ownDataBuckets };
  } finally {
    await client.end();
  }
}

/** The migration since which files of own data may be in buckets. */
const bucketsMigration = "0132-own-data-buckets";

async function bucketsOf(client: Client): Promise<Manifest["ownDataBuckets"]> {
  const { rows } = await client.query<{ bucket: string; files: number; bytes: string }>(
    "select bucket, count(*)::integer as files, sum(bytes)::text as bytes from own_data_files where bucket <> '' and dropped_at is null group by 1 order by 1",
  );
  return rows.map(({ bytes, ...row }) => Object.assign({}, row, { bytes: Number(bytes) }));
}

/** A session that no other command of an operator works beside. Throws StartFailure. */
export async function openSession(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000, application_name: "fairway backup" });
  // The next query rejects.
  client.on("error", () => undefined);
  await client.connect();
  await client.query(sessionSettings);
  const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1::bigint) as taken", [operatorLock]);
  if (rows[0]?.taken === true) return client;
  await client.end();
  throw new StartFailure("Another backup, restore or rotation is working on this database: wait until it ends.");
}

async function backUpTable(client: Client, name: string, folder: string): Promise<Manifest["tables"][number]> {
  const { rows } = await client.query<{ column: string }>(
    `select attname as "column" from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [client.escapeIdentifier(name)],
  );
  const columns = rows.map(({ column }) => column);
  const meter = new Meter();
  const source = copyOut(client, `copy ${client.escapeIdentifier(name)} (${columnList(client, columns)}) to stdout`);
  let lines = 0;
  // In this format every row is one line, and line breaks in values are escaped.
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
      yield chunk;
    }
  };
  await pipeline(source, counted, meter, createWriteStream(join(folder, tableFile(name)), { mode: 0o600, flush: true }));
  return { name, columns, rows: lines, bytes: meter.bytes, sha256: meter.sha256 };
}

export const columnList = (client: Client, columns: readonly string[]): string =>
  columns.map((column) => client.escapeIdentifier(column)).join(", ");

async function backUpFiles({ home, s3Datasets }: Config, folder: string): Promise<Manifest["files"] & { skipped: string[] }> {
  const list = await open(join(folder, fileListFile), "wx", 0o600);
  const skipped: string[] = [];
  const [listHash, total] = [createHash("sha256"), { count: 0, bytes: 0 }];
  try {
    for await (const path of pathsBelow(home, "", s3Datasets.cacheFolder, skipped)) {
      const file = await backUpFile(home, path, folder);
      if (file === undefined) continue;
      const line = `${JSON.stringify({ path, ...file })}\n`;
      await list.write(line);
      listHash.update(line);
      total.count += 1;
      total.bytes += file.bytes;
    }
    await list.sync();
  } finally {
    await list.close();
  }
  return { ...total, sha256: listHash.digest("hex"), skipped };
}

async function* pathsBelow(home: string, folder: string, cacheFolder: string, skipped: string[]): AsyncGenerator<string> {
  const entries = await readdir(join(home, folder), { withFileTypes: true }).catch(unlessMissing);
  for (const entry of entries ?? []) {
    // A portal has more than one master key while it is replaced, and afterwards.
    if (folder === "" && (leftOut.has(entry.name) || /^(?:\.probe-|master\.key)/.test(entry.name))) continue;
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    // Copies of files on S3 are made again, wherever they are.
    if (join(home, path) === cacheFolder) continue;
    if (leftOutBelow.has(path)) continue;
    if (entry.isDirectory()) yield* pathsBelow(home, path, cacheFolder, skipped);
    else if (entry.isFile()) yield path;
    else skipped.push(path);
  }
}

/** Undefined if the portal has removed it meanwhile. */
async function backUpFile(home: string, path: string, folder: string) {
  const stats = await lstat(join(home, path)).catch(unlessMissing);
  if (stats === undefined) return undefined;
  const copy = join(folder, filesFolder, path);
  await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
  const meter = new Meter();
  try {
    await pipeline(createReadStream(join(home, path)), meter, createWriteStream(copy, { mode: 0o600 }));
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    await rm(copy, { force: true });
    return undefined;
  }
  return { bytes: meter.bytes, modifiedMs: stats.mtimeMs, sha256: meter.sha256 };
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

function unlessMissing(error: unknown): undefined {
  if (systemCode(error) !== "ENOENT") throw error;
  return undefined;
}
