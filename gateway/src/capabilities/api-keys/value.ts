import { timingSafeEqual } from "node:crypto";
import { apiKeyPrefix } from "@fairway/contract/api-keys";
import { encryptedTextColumn } from "#secrets/encrypted-column.ts";
import { hashOfSecret, newSecret } from "#identity/secret-token.ts";
import { type MasterKey, UnreadableCiphertext } from "#secrets/master-key.ts";

/** The key and owner of a value. Authenticated by the encryption, so that a value cannot be moved to another key or user. */
interface ValueOwner {
  readonly keyId: string;
  readonly userId: string;
}

export const apiKeyValueColumn = encryptedTextColumn(
  {
    table: "api_key_values",
    column: "value",
    row: { keyId: "key_id", userId: "(select user_id from api_keys where api_keys.id = api_key_values.key_id)" },
  },
  ({ keyId, userId }) => `api-key:${userId}:${keyId}`,
);

const shape = new RegExp(`^${apiKeyPrefix}[\\w-]{43}$`);

/** Whether a text has the format of a key's value; others are not looked up. */
export const hasValueFormat = (text: string): boolean => shape.test(text);

/** A new value, with what to store of it. */
export function newValue(masterKey: Pick<MasterKey, "encrypt">, owner: ValueOwner) {
  const value = apiKeyPrefix + newSecret();
  return {
    value,
    stored: { hash: hashOfSecret(value), value: masterKey.encrypt(value, apiKeyValueColumn.contextOf(owner)), hint: value.slice(-4) },
  };
}

/** The masked form in which existing values are shown. */
export const masked = (hint: string): string => `${apiKeyPrefix}…${hint}`;

/** Whether a gateway with this master key created `value` for this key. Write access to the database is not enough to forge one. */
export function isValueOf(masterKey: Pick<MasterKey, "decrypt">, owner: ValueOwner, stored: string, value: string): boolean {
  try {
    const own = masterKey.decrypt(stored, apiKeyValueColumn.contextOf(owner));
    const presented = Buffer.from(value);
    return own.length === presented.length && timingSafeEqual(own, presented);
  } catch (error) {
    if (error instanceof UnreadableCiphertext) return false;
    throw error;
  }
}
