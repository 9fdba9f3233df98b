import type { ApiKey, apiKeys } from "@fairway/contract/api-keys";
import type { Limits } from "@fairway/contract/limits";
import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import type { Handlers, SignedInUser } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { MasterKey } from "#master-key.ts";
import type { ApiKeyCallers } from "./callers.ts";
import { type Reachable, checkedScope, lostOf } from "./scope.ts";
import { type StoredKey, addKey, changeKey, deleteKey, keysOf, requireKey, scopeOf } from "./store.ts";
import { masked } from "./value.ts";

export interface ApiKeyParts {
  readonly db: Kysely<Database>;
  readonly masterKey: Pick<MasterKey, "encrypt" | "decrypt">;
  readonly callers: Pick<ApiKeyCallers, "keyChanged">;
  readonly reachable: Reachable;
  readonly limits: Pick<Limits, "apiKeyNameCharacters" | "apiKeysPerUser">;
}

export const apiKeyRoutes = ({ db, masterKey, callers, reachable, limits }: ApiKeyParts): Handlers<typeof apiKeys> => {
  const answered = async (user: SignedInUser, key: StoredKey, value = masked(key.hint)): Promise<ApiKey> => {
    const [scope, lost] = [scopeOf(key), await lostOf(reachable, user, scopeOf(key))];
    return {
      id: key.id,
      name: key.name,
      key: value,
      datasets: [...scope.datasets],
      filesets: [...scope.filesets],
      ecosystems: [...scope.ecosystems],
      createdDateMs: key.created_at.getTime(),
      lastUsedMs: key.last_used_at?.getTime() ?? null,
      expiresAtMs: key.expires_at?.getTime() ?? null,
      previousKeyEndsMs: key.previous_ends_at?.getTime() ?? null,
      lost: { datasets: [...lost.datasets], filesets: [...lost.filesets], ecosystems: [...lost.ecosystems] },
    };
  };

  return {
    list: async ({ user }) => Promise.all((await keysOf(db, user.id)).map((key) => answered(user, key))),
    create: async ({ user, body }) => {
      requireNameLength(body.name, limits.apiKeyNameCharacters);
      const scope = await checkedScope(reachable, user, body);
      const expiresAt = endOf(body.expiresAtMs) ?? null;
      const value = await addKey(db, masterKey, { userId: user.id, name: body.name, scope, expiresAt, mostPerUser: limits.apiKeysPerUser });
      return answered(user, await requireKey(db, user.id, body.name), value);
    },
    edit: async ({ user, body }) => {
      const before = await requireKey(db, user.id, body.name);
      const scope = await checkedScope(reachable, user, body, scopeOf(before));
      await changeKey(db, before.id, scope, endOf(body.expiresAtMs));
      await callers.keyChanged(before.id);
      return answered(user, await requireKey(db, user.id, body.name));
    },
    remove: async ({ user, params }) => {
      const { id } = await requireKey(db, user.id, params.name);
      await deleteKey(db, id);
      await callers.keyChanged(id);
      return undefined;
    },
  };
};

function requireNameLength(name: string, atMost: number): void {
  if (name.length <= atMost) return;
  throw new Refusal("invalid-value", `The name of an API key has at most ${atMost} characters.`, { path: "name" });
}

function endOf(expiresAtMs: number | null | undefined): Date | null | undefined {
  if (expiresAtMs === undefined || expiresAtMs === null) return expiresAtMs;
  if (expiresAtMs > Date.now()) return new Date(expiresAtMs);
  throw new Refusal("invalid-value", "The key would end in the past.", { path: "expiresAtMs" });
}
