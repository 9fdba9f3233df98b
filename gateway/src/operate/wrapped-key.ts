import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { StartFailure } from "#process/start-failure.ts";
import { systemCode } from "#process/system-code.ts";

/** A master key encrypted with a passphrase: AES-256-GCM with a key by scrypt, everything in base64. */
export const wrappedKey = z.object({ salt: z.string(), nonce: z.string(), cipher: z.string(), tag: z.string() });
export type WrappedKey = z.infer<typeof wrappedKey>;

const minCharacters = 12;
const cost = { N: 131_072, r: 8, p: 1, maxmem: 256 * 1_048_576 };
const keyOf = (passphrase: string, salt: Uint8Array): Buffer => scryptSync(passphrase.normalize("NFC"), salt, 32, cost);

export function wrapKey(key: Uint8Array, passphrase: string): WrappedKey {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv("aes-256-gcm", keyOf(passphrase, salt), nonce);
  const body = Buffer.concat([cipher.update(key), cipher.final()]);
  const text = (bytes: Buffer) => bytes.toString("base64");
  return { salt: text(salt), nonce: text(nonce), cipher: text(body), tag: text(cipher.getAuthTag()) };
}

/** Throws StartFailure for another passphrase. */
export function unwrapKey(wrapped: WrappedKey, passphrase: string): Buffer {
  const bytes = (text: string) => Buffer.from(text, "base64");
  try {
    const decipher = createDecipheriv("aes-256-gcm", keyOf(passphrase, bytes(wrapped.salt)), bytes(wrapped.nonce), { authTagLength: 16 });
    decipher.setAuthTag(bytes(wrapped.tag));
    return Buffer.concat([decipher.update(bytes(wrapped.cipher)), decipher.final()]);
  } catch (error) {
    throw new StartFailure("The passphrase is not the one that the backup's key was encrypted with.", { cause: error });
  }
}

/** The first line of a file. Throws StartFailure. */
export async function readPassphrase(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new StartFailure(`The file of the passphrase cannot be read (${systemCode(error) ?? "unknown"}).`, { cause: error });
  });
  const [passphrase = ""] = text.split(/\r?\n/, 1);
  if (passphrase.length < minCharacters) throw new StartFailure(`The passphrase has fewer than ${minCharacters} characters.`);
  return passphrase;
}
