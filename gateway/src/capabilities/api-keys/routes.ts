import { isDeepStrictEqual } from "node:util";
import type { ApiKey, apiKeyAdministration, apiKeys } from "@fairway/contract/api-keys";
import type { Limits } from "@fairway/contract/limits";
import { byName } from "@fairway/contract/name-order";
import { opensOneOwnDataset } from "@fairway/contract/own-datasets";
import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import type { Handlers } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import type { Identity } from "#identity/identity.ts";
import type { MasterKey } from "#secrets/master-key.ts";
import { targetFor } from "#own-data/target.ts";
import { type ApiKeyCallers, withRolesOfKey } from "./callers.ts";
import { type Reachable, findLost, validateRoles, validateScope } from "./scope.ts";
import { type StoredKey, addKey, allKeys, changeKey, deleteKey, keysOf, requireKey, rotateKey, scopeOf } from "./store.ts";
import { masked } from "./value.ts";

export interface ApiKeyParts {
  readonly db: Kysely<Database>;
  readonly masterKey: Pick<MasterKey, "encrypt" | "decrypt">;
  readonly callers: Pick<ApiKeyCallers, "keyChanged">;
  readonly identity: Pick<Identity, "requireFreshSignIn">;
  readonly reachable: Reachable;
  readonly limits: Pick<Limits, "apiKeyNameCharacters" | "apiKeysPerUser">;
}

export const apiKeyRoutes = ({ db, masterKey, callers, identity, reachable, limits }: ApiKeyParts): Handlers<typeof apiKeys> => {
  const toApiKey = async (user: SignedInUser, key: StoredKey, value?: string): Promise<ApiKey> => {
    const lost = await findLost(reachable, withRolesOfKey(user, key.roles), scopeOf(key));
    return {
      ...keyFields(key),
      ...(value === undefined ? {} : { key: value }),
      lost: { datasets: [...lost.datasets], filesets: [...lost.filesets], ecosystems: [...lost.ecosystems] },
    };
  };

  return {
    list: async ({ user }) => Promise.all((await keysOf(db, user.id)).toSorted(byName).map((key) => toApiKey(user, key))),
    // A key outlives the session, so an unattended session must not be enough to get one.
    create: async ({ user, body }) => {
      identity.requireFreshSignIn(user);
      requireNameLength(body.name, limits.apiKeyNameCharacters);
      const roles = validateRoles(user, body.roles ?? null, []);
      const acting = withRolesOfKey(user, roles);
      const scope = await validateScope({ reachable, user, acting }, body);
      const expiresAt = parseExpiry(body.expiresAtMs) ?? null;
      const mayAppend = body.mayAppend === true;
      if (mayAppend && !opensOneOwnDataset(scope)) {
        const message = "A key that may append needs exactly one dataset that a user has brought, and nothing else.";
        throw new Refusal("invalid-value", message, { path: "mayAppend" });
      }
      // Refuses who may only read it.
      if (mayAppend) for (const dataset of scope.datasets) await targetFor(db, acting, dataset);
      const key = { userId: user.id, name: body.name, scope, mayAppend, roles, expiresAt, maxPerUser: limits.apiKeysPerUser };
      const value = await addKey(db, masterKey, key);
      return toApiKey(user, await requireKey(db, user.id, body.name), value);
    },
    edit: async ({ user, body }) => {
      const before = await requireKey(db, user.id, body.name);
      const roles = body.roles === undefined ? before.roles : validateRoles(user, body.roles, before.roles ?? []);
      const scope = await validateScope({ reachable, user, acting: withRolesOfKey(user, roles) }, body, scopeOf(before));
      // Only the dataset for which it was asked.
      const mayAppend = before.may_append && isDeepStrictEqual(scope, scopeOf(before));
      await changeKey(db, before.id, { scope, mayAppend, roles, expiresAt: parseExpiry(body.expiresAtMs) });
      await callers.keyChanged(before.id);
      return toApiKey(user, await requireKey(db, user.id, body.name));
    },
    remove: async ({ user, params }) => {
      const { id } = await requireKey(db, user.id, params.name);
      await deleteKey(db, id);
      await callers.keyChanged(id);
      return undefined;
    },
    rotate: async ({ user, params, body }) => {
      identity.requireFreshSignIn(user);
      const before = await requireKey(db, user.id, params.name);
      const value = await rotateKey(db, masterKey, before, body.overlapHours);
      await callers.keyChanged(before.id);
      return toApiKey(user, await requireKey(db, user.id, before.name), value);
    },
  };
};

/** For administrators, who can list and revoke all keys but not read their values. */
export const apiKeyAdministrationRoutes = ({
  db,
  callers,
}: Pick<ApiKeyParts, "db" | "callers">): Handlers<typeof apiKeyAdministration> => ({
  list: async () => {
    const keys = await allKeys(db);
    return keys.map((key) => Object.assign(keyFields(key), { owner: { id: key.user_id, username: key.username, locked: key.locked } }));
  },
  revoke: async ({ params }) => {
    if (!(await deleteKey(db, params.id))) throw new Refusal("not-found", "There is no such API key.");
    await callers.keyChanged(params.id);
    return undefined;
  },
});

const keyFields = (key: StoredKey): Omit<ApiKey, "lost"> => ({
  id: key.id,
  name: key.name,
  key: masked(key.hint),
  datasets: key.datasets,
  filesets: key.fileset_ids,
  ecosystems: key.ecosystem_names,
  createdDateMs: key.created_at.getTime(),
  lastUsedMs: key.last_used_at?.getTime() ?? null,
  expiresAtMs: key.expires_at?.getTime() ?? null,
  previousKeyEndsMs: key.previous_ends_at?.getTime() ?? null,
  ...(key.roles === null ? {} : { roles: key.roles }),
  ...(key.may_append ? { mayAppend: true as const } : {}),
});

function requireNameLength(name: string, maxCharacters: number): void {
  if (name.length <= maxCharacters) return;
  throw new Refusal("invalid-value", `The name of an API key has at most ${maxCharacters} characters.`, { path: "name" });
}

function parseExpiry(expiresAtMs: number | null | undefined): Date | null | undefined {
  if (expiresAtMs === undefined || expiresAtMs === null) return expiresAtMs;
  if (expiresAtMs > Date.now()) return new Date(expiresAtMs);
  throw new Refusal("invalid-value", "The key would end in the past.", { path: "expiresAtMs" });
}
