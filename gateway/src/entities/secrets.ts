import { isJsonObject } from "@fairway/contract/json";
import { Refusal } from "#http/refusal.ts";
import type { MasterKey } from "#master-key.ts";
import type { EntityType } from "./entity-types.ts";

/** What stands in the place of a secret wherever somebody reads. Decision 0072. */
export const mask = "********";

/** Encrypts and decrypts the secrets of one entity, each for its own place. */
export type SecretKey = Pick<MasterKey, "encrypt" | "decrypt">;

interface Place {
  readonly type: Pick<EntityType<unknown>, "name" | "secrets" | "boundTo">;
  readonly id: string;
}

/** The body as it is kept. A mask means the secret that `before` holds there, for what it was entered for and nothing else. */
export function sealed(key: SecretKey, at: Place, body: object, before: object | undefined): object {
  return changed(at, body, (secret, path) => {
    if (secret !== mask) return key.encrypt(secret, contextOf(at, path));
    const kept = before === undefined ? undefined : textAt(before, path);
    const place = path.join(".");
    if (before !== undefined && kept !== undefined && kept !== "") {
      if (at.type.boundTo?.(body, path) === at.type.boundTo?.(before, path)) return kept;
      throw new Refusal("invalid-value", `'${place}': Enter the secret again: the address changed.`, { path: place });
    }
    throw new Refusal("invalid-request", `'${place}': there is no secret yet that could be kept.`, { path: place });
  });
}

/** The kept body as people may read it. */
export function masked(at: Place, body: object): object {
  return changed(at, body, () => mask);
}

/** The kept body with its secrets. Throws UnreadableCiphertext. */
export function revealed(key: SecretKey, at: Place, body: object): object {
  return changed(at, body, (secret, path) => key.decrypt(secret, contextOf(at, path)).toString());
}

const contextOf = ({ type, id }: Place, path: readonly string[]): string => `entity:${type.name}:${id}:${path.join(".")}`;

/** A copy of the body with other texts in the places of its secrets. An empty one is none. */
function changed({ type }: Place, body: object, change: (secret: string, path: readonly string[]) => string): object {
  return type.secrets.reduce((copy, path) => {
    const secret = textAt(copy, path);
    return secret === undefined || secret === "" ? copy : withText(copy, path, change(secret, path));
  }, body);
}

function textAt(body: object, path: readonly string[]): string | undefined {
  const found = path.reduce<unknown>((value, name) => (isJsonObject(value) ? value[name] : undefined), body);
  return typeof found === "string" ? found : undefined;
}

function withText(body: object, [name = "", ...rest]: readonly string[], text: string): object {
  const inner = (body as Record<string, unknown>)[name];
  return { ...body, [name]: rest.length === 0 ? text : withText(isJsonObject(inner) ? inner : {}, rest, text) };
}
