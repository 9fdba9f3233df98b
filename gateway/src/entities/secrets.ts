import { isJsonObject } from "@fairway/contract/json";
import { encryptedJsonColumn } from "#secrets/encrypted-column.ts";
import { Refusal } from "#http/refusal.ts";
import type { MasterKey } from "#secrets/master-key.ts";
import { type EntityType, storedTypes } from "./entity-types.ts";

/** Replaces secrets in every response. Decision 0072. */
export const mask = "********";

/** Encrypts and decrypts the secrets of entities, each bound to its entity and field. */
export type SecretKey = Pick<MasterKey, "encrypt" | "decrypt">;

interface EntityRef {
  readonly type: Pick<EntityType<unknown>, "name" | "secrets" | "boundTo">;
  readonly id: string;
}

/** The body with encrypted secrets, as it is stored. A mask keeps the secret of `before`, provided that `boundTo` is unchanged. */
export function encryptSecrets(key: SecretKey, entity: EntityRef, body: object, before: object | undefined): object {
  return mapSecrets(entity, body, (secret, path) => {
    if (secret !== mask) return key.encrypt(secret, contextOf(entity, path));
    const previous = before === undefined ? undefined : textAt(before, path);
    const pathText = path.join(".");
    if (before !== undefined && previous !== undefined && previous !== "") {
      if (entity.type.boundTo?.(body, path) === entity.type.boundTo?.(before, path)) return previous;
      throw new Refusal("invalid-value", `'${pathText}': Enter the secret again: the address changed.`, { path: pathText });
    }
    throw new Refusal("invalid-request", `'${pathText}': there is no secret yet that could be kept.`, { path: pathText });
  });
}

/** The stored body with masked secrets. */
export function maskSecrets(entity: EntityRef, body: object): object {
  return mapSecrets(entity, body, () => mask);
}

/** The stored body with decrypted secrets. Throws UnreadableCiphertext. */
export function decryptSecrets(key: SecretKey, entity: EntityRef, body: object): object {
  return mapSecrets(entity, body, (secret, path) => key.decrypt(secret, contextOf(entity, path)).toString());
}

const contextOf = ({ type, id }: EntityRef, path: readonly string[]) => entitySecretsColumn.contextOf({ type: type.name, id }, path);

const typesByName: ReadonlyMap<string, EntityRef["type"]> = new Map(Object.values(storedTypes).map((type) => [type.name, type]));

export const entitySecretsColumn = encryptedJsonColumn(
  { table: "entities", column: "body", row: { type: "type", id: "id" } },
  ({ type, id }, path) => `entity:${type}:${id}:${path.join(".")}`,
  ({ type: name, id }, body, change) => {
    const type = typesByName.get(name);
    return type === undefined ? body : mapSecrets({ type, id }, body, change);
  },
);

/** A copy of the body with each non-empty secret replaced. */
function mapSecrets({ type }: EntityRef, body: object, change: (secret: string, path: readonly string[]) => string): object {
  return type.secrets.reduce((copy, path) => {
    const secret = textAt(copy, path);
    return secret === undefined || secret === "" ? copy : withText(copy, path, change(secret, path));
  }, body);
}

function textAt(body: object, path: readonly string[]): string | undefined {
  const value = path.reduce<unknown>((parent, name) => (isJsonObject(parent) ? parent[name] : undefined), body);
  return typeof value === "string" ? value : undefined;
}

function withText(body: object, [name = "", ...rest]: readonly string[], text: string): object {
  const inner = (body as Record<string, unknown>)[name];
  return { ...body, [name]: rest.length === 0 ? text : withText(isJsonObject(inner) ? inner : {}, rest, text) };
}
