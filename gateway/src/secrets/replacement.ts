import { link, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { flushFolder } from "#process/flush-folder.ts";
import { decodeMasterKey, keyIdOf, masterKeyFile, masterKeyOf } from "#secrets/master-key.ts";
import { StartFailure } from "#process/start-failure.ts";
import { systemCode } from "#process/system-code.ts";

/** A connection or a pool. */
interface Queryable {
  query(text: string): Promise<{ rows: object[] }>;
}

/** Holds the new key from before the database is reencrypted until the key becomes the master key. Decision 0530. */
export const newKeyFile = (home: string): string => `${masterKeyFile(home)}.new`;

/** The id of the master key that the database is encrypted with; undefined if it holds nothing encrypted yet. */
export async function storedKeyId(database: Queryable): Promise<string | undefined> {
  const [table] = (await database.query("select to_regclass('signing_keys') is not null as exists")).rows as { exists: boolean }[];
  if (table?.exists !== true) return undefined;
  const { rows } = await database.query("select private_key as cipher from signing_keys order by created_at desc limit 1");
  const [newest] = rows as { cipher: string }[];
  return newest && keyIdOf(newest.cipher);
}

/**
 * Finishes a replacement of the key file that was interrupted: the new key becomes the master key if the database is encrypted with
 * it, and is removed if the database is still encrypted with the old one. True if the new key took over.
 */
export async function settleReplacement(home: string, storedId: string | undefined): Promise<boolean> {
  if (await isReplacementUnfinished(home, storedId)) {
    await finishReplacement(home);
    return true;
  }
  // A file that was written only partly holds no key: the database was not touched yet.
  if (storedId === undefined || (await keyIdIn(masterKeyFile(home))) === storedId) await rm(newKeyFile(home), { force: true });
  return false;
}

/** Whether the database is encrypted with a new key that is not the master key yet: the next start makes it so. */
export const isReplacementUnfinished = async (home: string, storedId: string | undefined): Promise<boolean> =>
  storedId !== undefined && (await keyIdIn(newKeyFile(home))) === storedId;

/** Makes the new key the master key. Keeps the old one next to it, because earlier backups need it. */
export async function finishReplacement(home: string): Promise<void> {
  const current = masterKeyFile(home);
  const oldId = await keyIdIn(current);
  if (oldId !== undefined) {
    await link(current, replacedKeyFile(home, oldId)).catch((error: unknown) => {
      if (systemCode(error) !== "EEXIST") throw error;
    });
  }
  await rename(newKeyFile(home), current).catch((error: unknown) => {
    // Another gateway that starts has done it.
    if (systemCode(error) !== "ENOENT") throw error;
  });
  await flushFolder(home);
}

/** File of a key that was replaced. */
export const replacedKeyFile = (home: string, id: string): string => `${masterKeyFile(home)}.replaced-${id}`;

/** Creates a file of a key that survives a power failure. Rejects with EEXIST if the file exists. */
export async function writeKeyFile(file: string, key: Uint8Array): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    await handle.writeFile(`${Buffer.from(key).toString("hex")}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await flushFolder(dirname(file));
}

/** Throws StartFailure if the database is encrypted with another key than this one. */
export function requireStoredKey(key: { readonly id: string }, storedId: string | undefined): void {
  if (storedId === undefined || storedId === key.id) return;
  throw new StartFailure(
    `The master key (${key.id}) does not fit the database, which is encrypted with ${storedId}: put that one back, as master.key or FAIRWAY_MASTER_KEY.`,
  );
}

/** Undefined if there is no such file or no key in it. */
async function keyIdIn(file: string): Promise<string | undefined> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (systemCode(error) !== "ENOENT") throw error;
    return "";
  });
  const key = decodeMasterKey(text);
  return key && masterKeyOf(key).id;
}
