import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import { chmod, link, mkdir, open, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { EncryptionContext } from "#secrets/encrypted-column.ts";
import { StartFailure } from "#process/start-failure.ts";
import { systemCode } from "#process/system-code.ts";

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts secrets in the database: signing keys, credentials. A text that is moved to another row or column cannot be decrypted. */
export interface MasterKey {
  /** Identifies the key without revealing it; part of every encrypted text. */
  readonly id: string;
  /** `v1.{key id}.{nonce, text and tag in base64url}` */
  encrypt(plain: Uint8Array | string, context: EncryptionContext): string;
  /** Throws UnreadableCiphertext for another key, another context or a modified text. */
  decrypt(cipher: string, context: string): Buffer;
  /** A digest that nobody without the key can make or compare with guesses, in base64url. `purpose` keeps those of different uses apart. */
  digest(purpose: string, text: string): string;
}

/** The text was encrypted with another key or in another context, or was modified. */
export class UnreadableCiphertext extends Error {
  override readonly name = "UnreadableCiphertext";
}

/** Decodes 32 bytes from 64 hexadecimal digits or base64 (either alphabet); undefined for anything else. */
export function decodeMasterKey(text: string): Buffer | undefined {
  const trimmed = text.trim();
  if (/^[\da-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, "hex");
  if (!/^[\w+/-]{43}=?$/.test(trimmed)) return undefined;
  const bytes = Buffer.from(trimmed, "base64");
  return bytes.length === keyBytes ? bytes : undefined;
}

export function masterKeyOf(key: Uint8Array): MasterKey {
  if (key.length !== keyBytes) throw new TypeError("a master key has 32 bytes");
  const id = createHash("sha256").update("fairway master key").update(key).digest("hex").slice(0, 8);
  const prefix = `v1.${id}.`;
  return {
    id,
    encrypt(plain, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
      return prefix + body.toString("base64url");
    },
    decrypt(text, context) {
      if (!text.startsWith(prefix)) throw new UnreadableCiphertext(`${context} is not encrypted with the master key ${id}`);
      const body = Buffer.from(text.slice(prefix.length), "base64url");
      if (body.length < nonceBytes + tagBytes) throw new UnreadableCiphertext(`${context} is truncated`);
      const decipher = createDecipheriv("aes-256-gcm", key, body.subarray(0, nonceBytes), { authTagLength: tagBytes })
        .setAAD(Buffer.from(context))
        .setAuthTag(body.subarray(-tagBytes));
      const plain = decipher.update(body.subarray(nonceBytes, -tagBytes));
      try {
        return Buffer.concat([plain, decipher.final()]);
      } catch (error) {
        throw new UnreadableCiphertext(`${context} was modified or moved from another place`, { cause: error });
      }
    },
    digest: (purpose, text) => createHmac("sha256", key).update(`fairway ${purpose}\0${text}`).digest("base64url"),
  };
}

/** The id of the key that a text was encrypted with; undefined for a text that is not encrypted. */
export const keyIdOf = (cipher: string): string | undefined => /^v1\.([\da-f]{8})\./.exec(cipher)?.[1];

/** Path of the key file that the portal creates. */
export function masterKeyFile(home: string): string {
  return join(home, "master.key");
}

/** The operator's key, or the one in `home`, which is created on first start. Throws StartFailure. */
export async function openMasterKey(config: { masterKey: string | undefined; home: string }): Promise<MasterKey> {
  const text = config.masterKey ?? (await readOrCreateKey(masterKeyFile(config.home)));
  const key = decodeMasterKey(text);
  if (key) return masterKeyOf(key);
  const source = config.masterKey === undefined ? masterKeyFile(config.home) : "FAIRWAY_MASTER_KEY";
  throw new StartFailure(`${source} does not contain a master key (32 bytes as 64 hexadecimal digits or base64): put the right one back.`);
}

async function readOrCreateKey(file: string): Promise<string> {
  try {
    // A restored backup may have made it readable by others.
    await chmod(file, 0o600);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    await createKey(file);
  }
  return readFile(file, "utf8");
}

/** Atomic: never leaves a partial file and never replaces a key that another gateway creates at the same time. */
async function createKey(file: string): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString("hex")}`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  try {
    const handle = await open(temporary, "wx", 0o600);
    await handle.writeFile(`${randomBytes(keyBytes).toString("hex")}\n`);
    await handle.sync();
    await handle.close();
    await link(temporary, file);
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}
