import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readFile, readdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Client } from "pg";
import pino from "pino";
import type { Config } from "#config/config.ts";
import { connectDatabase } from "#database/connection.ts";
import { startEmbeddedPostgres } from "#database/embedded-postgres.ts";
import { checkDatabase } from "#database/external-database.ts";
import { lockFolder } from "#database/folder-lock.ts";
import { migrate } from "#database/migrate.ts";
import { recordTables } from "#database/migration-record.ts";
import { migrations } from "#database/migrations.ts";
import { decodeMasterKey, masterKeyFile, masterKeyOf } from "#secrets/master-key.ts";
import { StartFailure } from "#process/start-failure.ts";
import { columnList, openSession } from "./backup.ts";
import { type Manifest, checkBackup, filesFolder, filesOf, readManifest, tableFile } from "./backup-format.ts";
import { copyIn } from "./copy-stream.ts";
import { unwrapKey } from "./wrapped-key.ts";

/** Holds what is restored until all of it is there. */
const unfinishedName = ".restoring";

/** Files that may be in the folder before: an operator can put the key there first. */
const expectedNames = new Set(["lock", "master.key"]);

export interface RestoreResult {
  readonly manifest: Manifest;
  /** Whether the portal has the backup's key now. */
  readonly hasKey: boolean;
}

/**
 * Restores a backup into an empty folder and an empty database, and migrates it to this version. Checks the whole backup first: one
 * that is damaged or foreign changes nothing. Throws StartFailure.
 */
export async function restore(config: Config, source: string, passphrase: string | undefined): Promise<RestoreResult> {
  const folder = resolve(source);
  const manifest = await readManifest(folder);
  const unknown = manifest.migrations.filter((name) => migrations[name] === undefined);
  if (unknown.length > 0) {
    throw new StartFailure(
      `The backup is of a newer Fairway (${manifest.version} with ${unknown.join(", ")}): restore it with that version.`,
    );
  }
  requireBucket(config, manifest);
  await checkBackup(folder, manifest);
  const key = await keyFor(config, manifest, passphrase);
  if (config.databaseUrl !== undefined) {
    await checkDatabase(config.databaseUrl);
    await requireEmptyDatabase(config.databaseUrl);
  }
  const created = await mkdir(config.home, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(config.home);
  const unfinished = join(config.home, unfinishedName);
  try {
    await rm(unfinished, { recursive: true, force: true });
    await requireEmptyFolder(config.home);
    await mkdir(unfinished, { mode: 0o700 });
    await restoreFiles(folder, unfinished);
    if (key.bytes !== undefined && config.masterKey === undefined) {
      await writeFile(masterKeyFile(unfinished), `${key.bytes.toString("hex")}\n`, { mode: 0o600 });
    }
    if (config.databaseUrl === undefined) await restoreEmbedded(folder, manifest, unfinished);
    else await restoreDatabase(config.databaseUrl, folder, manifest);
    // The database last: without it, the next restore finds a folder that is not empty, and says so.
    const names = (await readdir(unfinished)).toSorted((a, b) => Number(a === "postgres") - Number(b === "postgres"));
    for (const name of names) await rename(join(unfinished, name), join(config.home, name));
    await rm(unfinished, { recursive: true });
    return { manifest, hasKey: key.isKnown };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  } finally {
    lock.release();
    const left = created === undefined ? undefined : await readdir(config.home);
    if (left?.every((name) => name === "lock") === true) await rm(config.home, { recursive: true });
  }
}

/** Refuses files of own data in a bucket that the settings do not name: nobody could read or remove them. */
function requireBucket({ settings }: Config, { ownDataBuckets }: Manifest): void {
  const { bucket: named } = settings.ownData;
  const other = ownDataBuckets.find(({ bucket }) => bucket !== named);
  if (other === undefined) return;
  const present = named === "" ? "name none" : `name '${named}'`;
  throw new StartFailure(
    `The backup has ${other.files} files of own data in the bucket '${other.bucket}', and the settings of this place ${present}: set ownData.bucket to it, or to a copy that has its name.`,
  );
}

/** The key to write into the folder, if there is one, and whether the portal will have the backup's. */
async function keyFor(
  config: Config,
  { masterKey }: Manifest,
  passphrase: string | undefined,
): Promise<{ bytes: Buffer | undefined; isKnown: boolean }> {
  const text = config.masterKey ?? (await readFile(masterKeyFile(config.home), "utf8").catch(() => undefined));
  if (text !== undefined) {
    const present = decodeMasterKey(text);
    if (present === undefined || masterKeyOf(present).id !== masterKey.id) {
      throw new StartFailure(`The master key of this place is not the backup's (${masterKey.id}): put that one there, or remove it.`);
    }
    return { bytes: undefined, isKnown: true };
  }
  if (passphrase === undefined) return { bytes: undefined, isKnown: false };
  if (masterKey.wrapped === null) throw new StartFailure("The backup does not contain the master key: omit the passphrase.");
  const bytes = unwrapKey(masterKey.wrapped, passphrase);
  if (masterKeyOf(bytes).id !== masterKey.id) throw new StartFailure("The backup is damaged: its key is not the one of its database.");
  return { bytes, isKnown: true };
}

async function requireEmptyFolder(home: string): Promise<void> {
  const found = (await readdir(home)).find((name) => !expectedNames.has(name));
  if (found !== undefined) {
    throw new StartFailure(`The folder ${home} is not empty (${found}): move it away, or set FAIRWAY_HOME to another folder.`);
  }
}

async function requireEmptyDatabase(url: string): Promise<void> {
  const client = await openSession(url);
  try {
    const [found] = await relationsOf(client);
    if (found !== undefined) {
      throw new StartFailure(`The database of DATABASE_URL is not empty (${found}): create another one for the restored portal.`);
    }
  } finally {
    await client.end();
  }
}

async function relationsOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'm', 'f', 'v', 'S') order by relname",
  );
  return rows.map(({ name }) => name);
}

async function restoreFiles(folder: string, target: string): Promise<void> {
  for await (const { path, modifiedMs } of filesOf(folder)) {
    const file = join(target, path);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await pipeline(createReadStream(join(folder, filesFolder, path)), createWriteStream(file, { mode: 0o600, flags: "wx" }));
    await utimes(file, modifiedMs / 1_000, modifiedMs / 1_000);
  }
}

async function restoreEmbedded(folder: string, manifest: Manifest, home: string): Promise<void> {
  const server = await startEmbeddedPostgres({ folder: join(home, "postgres"), log: pino({ level: "silent" }) });
  try {
    await restoreDatabase(server.url, folder, manifest);
  } finally {
    await server.stop();
  }
}

/** Creates the tables as they were, fills them in one transaction, and migrates them. Removes them again if it fails. */
async function restoreDatabase(url: string, folder: string, manifest: Manifest): Promise<void> {
  const wanted = new Set(manifest.migrations);
  const client = await openSession(url);
  try {
    await migrateTo(url, Object.fromEntries(Object.entries(migrations).filter(([name]) => wanted.has(name))));
    await client.query("begin");
    await fillTables(client, folder, manifest);
    await client.query("commit");
    await migrateTo(url, migrations);
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    await removeAll(client).catch(() => undefined);
    throw error;
  } finally {
    await client.end();
  }
}

async function migrateTo(url: string, wanted: typeof migrations): Promise<void> {
  const database = connectDatabase(url, {
    maxConnections: 2,
    limits: {
      databaseConnections: 2,
      databaseConnectionsPerUser: 2,
      databaseConnectMs: 10_000,
      databaseStatementMs: 3_600_000,
      databaseLongStatementMs: 3_600_000,
    },
  });
  try {
    await migrate(database.db as never, wanted);
  } finally {
    await database.close();
  }
}

async function fillTables(client: Client, folder: string, manifest: Manifest): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' order by relname",
  );
  const isData = ({ name }: { name: string }) => !recordTables.has(name);
  const existing = rows.filter(isData).map(({ name }) => name);
  const stored = new Map(manifest.tables.filter(isData).map((table) => [table.name, table]));
  const odd = [...existing.filter((name) => !stored.has(name)), ...[...stored.keys()].filter((name) => !existing.includes(name))];
  if (odd.length > 0) throw new StartFailure(`The tables of the backup are not those of its version: ${odd.join(", ")}.`);
  // Migrations insert rows of their own.
  await client.query(`truncate ${existing.map((name) => client.escapeIdentifier(name)).join(", ")}`);
  for (const name of await inOrderOfReferences(client, existing)) {
    const table = stored.get(name);
    if (table === undefined || table.bytes === 0) continue;
    const statement = `copy ${client.escapeIdentifier(name)} (${columnList(client, table.columns)}) from stdin`;
    await copyIn(client, statement, createReadStream(join(folder, tableFile(name))));
    const { rows: counts } = await client.query<{ rows: string }>(`select count(*) as rows from ${client.escapeIdentifier(name)}`);
    if (Number(counts[0]?.rows) !== table.rows)
      throw new StartFailure(`The table ${name} has another number of rows than the backup says.`);
  }
  for (const { name, lastValue, isCalled } of manifest.sequences) {
    await client.query("select setval($1::regclass, $2::bigint, $3)", [client.escapeIdentifier(name), lastValue, isCalled]);
  }
}

/** Tables after those that they refer to. References within one table are checked at the end of its copy. */
async function inOrderOfReferences(client: Client, names: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ from: string; to: string }>(
    `select a.relname as "from", b.relname as "to" from pg_constraint
      join pg_class a on a.oid = conrelid join pg_class b on b.oid = confrelid
      where contype = 'f' and a.relnamespace = current_schema()::regnamespace and conrelid <> confrelid`,
  );
  const ordered: string[] = [];
  while (ordered.length < names.length) {
    const ready = names.filter((name) => !ordered.includes(name) && rows.every(({ from, to }) => from !== name || ordered.includes(to)));
    if (ready.length === 0) throw new Error("tables refer to each other in a circle");
    ordered.push(...ready);
  }
  return ordered;
}

/** Removes tables and functions of an unfinished restore: the database was empty before. */
async function removeAll(client: Client): Promise<void> {
  await client.query(`
    do $$
      declare statement text;
      begin
        for statement in
          select format('drop table if exists %s cascade', oid::regclass) from pg_class
            where relnamespace = current_schema()::regnamespace and relkind = 'r'
          union all select format('drop sequence if exists %s cascade', oid::regclass) from pg_class
            where relnamespace = current_schema()::regnamespace and relkind = 'S'
              and not exists (select from pg_depend where objid = pg_class.oid and deptype in ('a', 'i'))
          union all select format('drop function if exists %s cascade', oid::regprocedure) from pg_proc
            where pronamespace = current_schema()::regnamespace
              and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
        loop execute statement; end loop;
      end
    $$`);
}
