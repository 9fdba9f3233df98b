import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { chmod, link, mkdir, open, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StartFailure } from "#start-failure.ts";
import { systemCode } from "#system-code.ts";

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts what must not lie in the database as it is: signing keys, credentials. `context` names the place (such as
 * `signing-key:17`); a text moved to another place does not decrypt there.
 */
export interface MasterKey {
  /** Names the key without telling it; every encrypted text begins with its key's. */
  readonly id: string;
  /** `v1.{key id}.{nonce, text and tag in base64url}` */
  encrypt(plain: Uint8Array | string, context: string): string;
  /** Throws UnreadableCiphertext: another key, another context, or a changed text. */
  decrypt(cipher: string, context: string): Buffer;
}

/** An encrypted text that this key, or this place, cannot read. */
export class UnreadableCiphertext extends Error {
  override readonly name = "UnreadableCiphertext";
}

/** The 32 bytes behind 64 hexadecimal digits or base64 (either alphabet); undefined for anything else. */
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
      if (!text.startsWith(prefix)) throw new UnreadableCiphertext(`${context} is encrypted with another master key than ${id}`);
      const body = Buffer.from(text.slice(prefix.length), "base64url");
      if (body.length < nonceBytes + tagBytes) throw new UnreadableCiphertext(`${context} is cut short`);
      const decipher = createDecipheriv("aes-256-gcm", key, body.subarray(0, nonceBytes), { authTagLength: tagBytes })
        .setAAD(Buffer.from(context))
        .setAuthTag(body.subarray(-tagBytes));
      const plain = decipher.update(body.subarray(nonceBytes, -tagBytes));
      try {
        return Buffer.concat([plain, decipher.final()]);
      } catch (error) {
        throw new UnreadableCiphertext(`${context} is not what was encrypted there`, { cause: error });
      }
    },
  };
}

/** The text under a new key; nothing changes where it already is. The step of a rotation, one text at a time. */
export function reencrypt(text: string, context: string, keys: { from: MasterKey; to: MasterKey }): string {
  return text.startsWith(`v1.${keys.to.id}.`) ? text : keys.to.encrypt(keys.from.decrypt(text, context), context);
}

/** Where the key lies that the portal made for itself. */
export function masterKeyFile(home: string): string {
  return join(home, "master.key");
}

/** The operator's key, or the one in `home`, made at the first start. Throws StartFailure. */
export async function openMasterKey(config: { masterKey: string | undefined; home: string }): Promise<MasterKey> {
  const text = config.masterKey ?? (await ownKey(masterKeyFile(config.home)));
  const key = decodeMasterKey(text);
  if (key) return masterKeyOf(key);
  const place = config.masterKey === undefined ? masterKeyFile(config.home) : "FAIRWAY_MASTER_KEY";
  throw new StartFailure(`${place} does not hold a master key (32 bytes as 64 hexadecimal digits or base64): put the right one back.`);
}

async function ownKey(file: string): Promise<string> {
  try {
    // A backup that was put back may have opened it to others.
    await chmod(file, 0o600);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    await makeKey(file);
  }
  return readFile(file, "utf8");
}

/** The key appears whole or not at all, and never replaces one that another gateway made at the same moment. */
async function makeKey(file: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  try {
    const handle = await open(draft, "wx", 0o600);
    await handle.writeFile(`${randomBytes(keyBytes).toString("hex")}\n`);
    await handle.sync();
    await handle.close();
    await link(draft, file);
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
