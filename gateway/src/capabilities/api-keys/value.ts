import { timingSafeEqual } from "node:crypto";
import { apiKeyPrefix } from "@fairway/contract/api-keys";
import { hashOfSecret, newSecret } from "#identity/secret-token.ts";
import { type MasterKey, UnreadableCiphertext } from "#master-key.ts";

/** Whose value it is. A value that is moved to another key or user by hand does not decrypt there. */
interface Place {
  readonly keyId: string;
  readonly userId: string;
}

const contextOf = ({ keyId, userId }: Place): string => `api-key:${userId}:${keyId}`;

const shape = new RegExp(`^${apiKeyPrefix}[\\w-]{43}$`);

/** Whether a text can be a key's value at all; others are not looked for. */
export const looksLikeValue = (text: string): boolean => shape.test(text);

/** A new value, and what is stored of it. */
export function newValue(masterKey: Pick<MasterKey, "encrypt">, place: Place) {
  const value = apiKeyPrefix + newSecret();
  return { value, stored: { hash: hashOfSecret(value), value: masterKey.encrypt(value, contextOf(place)), hint: value.slice(-4) } };
}

/** How a value is shown once it is not new any more. */
export const masked = (hint: string): string => `${apiKeyPrefix}…${hint}`;

/** Whether a gateway with this master key made `value` for this key. Who can only write to the database makes none. */
export function isValueOf(masterKey: Pick<MasterKey, "decrypt">, place: Place, stored: string, value: string): boolean {
  try {
    const own = masterKey.decrypt(stored, contextOf(place));
    const given = Buffer.from(value);
    return own.length === given.length && timingSafeEqual(own, given);
  } catch (error) {
    if (error instanceof UnreadableCiphertext) return false;
    throw error;
  }
}
