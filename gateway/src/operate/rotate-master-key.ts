import { randomBytes } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { resolve } from "node:path";
import type { Client } from "pg";
import pino from "pino";
import type { Config } from "#config/config.ts";
import { lockOutGateways } from "#database/gateway-lock.ts";
import type { EncryptedColumn } from "#secrets/encrypted-column.ts";
import {
  finishReplacement,
  newKeyFile,
  replacedKeyFile,
  requireStoredKey,
  settleReplacement,
  storedKeyId,
  writeKeyFile,
} from "#secrets/replacement.ts";
import { type MasterKey, UnreadableCiphertext, decodeMasterKey, masterKeyOf } from "#secrets/master-key.ts";
import { StartFailure } from "#process/start-failure.ts";
import { systemCode } from "#process/system-code.ts";
import { openSession, readMasterKey } from "./backup.ts";
import { encryptedColumns } from "./encrypted-columns.ts";
import { openOperatedDatabase, requireMigrated } from "./operated-database.ts";

const keyBytes = 32;

export interface Rotation {
  /** The id of the key that the database is encrypted with now. */
  readonly newId: string;
  /** Undefined if an earlier, interrupted command had reencrypted the database already. */
  readonly counts: readonly { readonly column: string; readonly texts: number }[] | undefined;
  /** File of the old key; undefined for a key of the environment. */
  readonly oldKeyFile: string | undefined;
}

/**
 * Replaces the master key: reencrypts everything in one transaction, for which every gateway has to be stopped. The new key is the
 * one in `file`, or a new one, which is also written to `file`. May be repeated after any interruption. Throws StartFailure.
 */
export async function rotateMasterKey(config: Config, file: string | undefined): Promise<Rotation> {
  const { home, masterKey } = config;
  if (masterKey !== undefined && file === undefined) {
    throw new StartFailure(
      "FAIRWAY_MASTER_KEY is set, which this command cannot change: name a file for the new key with --new-key-file=FILE.",
    );
  }
  const database = await openOperatedDatabase(config, pino({ level: "silent" }));
  try {
    if (database.state === "portal-runs") throw stillRunning();
    await requireMigrated(database.url);
    const client = await openSession(database.url);
    try {
      if (!(await lockOutGateways(client))) throw stillRunning();
      const storedId = await storedKeyId(client);
      const isInFile = masterKey === undefined;
      if (isInFile && (await settleReplacement(home, storedId)))
        return { newId: String(storedId), counts: undefined, oldKeyFile: undefined };
      const present = masterKeyOf(await readMasterKey(config));
      const given = file === undefined ? undefined : await keyOfFile(resolve(file));
      const next = given ?? randomBytes(keyBytes);
      const { id: newId } = masterKeyOf(next);
      if (newId === storedId) {
        if (present.id === newId) throw new StartFailure(`The file contains the present master key (${newId}): name one with another key.`);
        return { newId, counts: undefined, oldKeyFile: undefined };
      }
      requireStoredKey(present, storedId);
      if (file !== undefined && given === undefined) await writeKeyFile(resolve(file), next);
      if (isInFile) await writeKeyFile(newKeyFile(home), next);
      const counts = await reencryptAll(client, present, masterKeyOf(next)).catch(async (error: unknown) => {
        // After a lost connection, only the next start can tell whether the transaction was committed.
        if (isInFile && (await storedKeyId(client).catch(() => newId)) !== newId) await rm(newKeyFile(home), { force: true });
        throw error;
      });
      if (isInFile) await finishReplacement(home);
      return { newId, counts, oldKeyFile: isInFile ? replacedKeyFile(home, present.id) : undefined };
    } finally {
      await client.end();
    }
  } finally {
    await database.close();
  }
}

const stillRunning = () => new StartFailure("The portal is running: stop every gateway of this database first.");

/** Undefined if there is no such file yet. */
async function keyOfFile(file: string): Promise<Buffer | undefined> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return undefined;
    throw new StartFailure(`The file of the new key cannot be read (${systemCode(error) ?? "unknown"}).`, { cause: error });
  });
  if (text === undefined) return undefined;
  const key = decodeMasterKey(text);
  if (key === undefined) throw new StartFailure("The file of the new key does not contain 32 bytes as 64 hexadecimal digits or base64.");
  return key;
}

async function reencryptAll(client: Client, from: MasterKey, to: MasterKey): Promise<{ column: string; texts: number }[]> {
  const counts: { column: string; texts: number }[] = [];
  await client.query("begin");
  try {
    for (const column of encryptedColumns)
      counts.push({ column: `${column.table}.${column.column}`, texts: await reencryptColumn(client, column, from, to) });
    await client.query("commit");
    return counts;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error instanceof UnreadableCiphertext
      ? new StartFailure(`Nothing was changed, because a stored secret cannot be read with the present key: ${error.message}.`)
      : error;
  }
}

async function reencryptColumn(client: Client, encrypted: EncryptedColumn, from: MasterKey, to: MasterKey): Promise<number> {
  const { table, column, row } = encrypted;
  // Rows stay where they are until this transaction moves them.
  await client.query(`lock table ${table} in exclusive mode`);
  const keys = Object.entries(row).map(([name, expression]) => `${expression} as ${client.escapeIdentifier(name)}`);
  const { rows } = await client.query<Record<string, string> & { at: string; value: unknown }>(
    `select ctid::text as "at", ${table}.${column} as "value", ${keys.join(", ")} from ${table}`,
  );
  let texts = 0;
  for (const { at, value, ...identity } of rows) {
    const before = texts;
    const changed = encrypted.reencrypted(identity, value, (cipher, where) => {
      texts += 1;
      return to.encrypt(from.decrypt(cipher, where), where);
    });
    if (texts > before) await client.query(`update ${table} set ${column} = $1 where ctid = $2::tid`, [changed, at]);
  }
  return texts;
}
