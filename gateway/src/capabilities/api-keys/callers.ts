import type { Limits } from "@fairway/contract/limits";
import { type Kysely, sql } from "kysely";
import { CachedReads } from "#process/cached-read.ts";
import type { Database } from "#database/schema.ts";
import type { ApiKeyReader } from "#http/gatekeeper.ts";
import { SignedInUser } from "#http/signed-in-user.ts";
import { effectiveGroupNames, effectiveGroups, effectiveRoles } from "#identity/accounts.ts";
import { stillBelongs } from "#identity/provider-links.ts";
import type { SecurityLimits } from "#identity/security-limits.ts";
import { type Announcements, type Log, announce } from "#identity/announce.ts";
import type { Identity } from "#identity/identity.ts";
import { hashOfSecret } from "#identity/secret-token.ts";
import type { MasterKey } from "#secrets/master-key.ts";
import type { CallRates } from "#identity/call-rates.ts";
import { isValueOf, hasValueFormat } from "./value.ts";

export interface ApiKeyCallers extends ApiKeyReader {
  /** Call after a change of a key is committed; invalidates the caches of all gateways. */
  keyChanged(keyId: string): Promise<void>;
}

export interface CallerParts {
  readonly db: Kysely<Database>;
  readonly masterKey: Pick<MasterKey, "decrypt">;
  readonly identity: Pick<Identity, "onUserChanged">;
  readonly notifications: Announcements;
  readonly callRates: Pick<CallRates, "rate">;
  readonly limits: Pick<Limits, "apiKeyCallsPerMinute">;
  readonly securityLimits: Pick<SecurityLimits, "providerConfirmedDays">;
  readonly log: Log;
}

const channel = "api_keys";
// Resolution of a key's last use; it is written at most once per this interval.
const lastUsedSeconds = 60;

interface Caller {
  readonly keyId: string;
  readonly owner: SignedInUser;
  /** When the value or its key expires; Infinity if never. */
  readonly endsAtMs: number;
}

/** Reads the owner and reach of keys from the database, cached for some seconds. */
export async function openApiKeyCallers(parts: CallerParts): Promise<ApiKeyCallers> {
  const { db, masterKey, identity, notifications, callRates, limits, log } = parts;
  const { providerConfirmedDays } = parts.securityLimits;
  const callers = new CachedReads<Caller>(20_000);
  const rate = callRates.rate("API key calls", limits.apiKeyCallsPerMinute);
  const forgetKey = (keyId: string) => callers.forget((caller) => caller.keyId === keyId);
  identity.onUserChanged((userId) => callers.forget(({ owner }) => userId === undefined || owner.id === userId));
  await notifications.on(channel, forgetKey);
  notifications.onReconnect(() => callers.forget(() => true));

  const load = async (value: string, hash: string): Promise<Caller | undefined> => {
    const row = await selectCaller(db, hash, providerConfirmedDays);
    if (!row || !isValueOf(masterKey, { keyId: row.keyId, userId: row.userId }, row.value, value)) return undefined;
    const endsAtMs = Math.min(row.valueEndsAt?.getTime() ?? Infinity, row.expiresAt?.getTime() ?? Infinity);
    return { keyId: row.keyId, owner: ownerOf(row), endsAtMs };
  };

  const admitUncached = async (value: string, hash: string): Promise<SignedInUser | undefined> => {
    const caller = await callers.read(hash, () => load(value, hash));
    if (caller === undefined) return undefined;
    rate.count(caller.keyId, "This API key");
    await recordUse(db, caller.keyId);
    return caller.owner;
  };

  return {
    readApiKey: (value) => {
      if (!hasValueFormat(value)) return undefined;
      const hash = hashOfSecret(value);
      const cached = callers.peek(hash);
      if (cached === undefined) return admitUncached(value, hash);
      if (cached.endsAtMs <= Date.now()) return undefined;
      rate.count(cached.keyId, "This API key");
      return cached.owner;
    },
    keyChanged: async (keyId) => {
      forgetKey(keyId);
      await announce(notifications, log, channel, keyId);
    },
  };
}

/** The keys that work, with the rights of their owners. */
const selectWorking = (db: Kysely<Database>, confirmedDays: number) =>
  db
    .selectFrom("api_keys")
    .innerJoin("users", "users.id", "api_keys.user_id")
    .select([
      "api_keys.id as keyId",
      "api_keys.name as keyName",
      "api_keys.datasets",
      "api_keys.fileset_ids as filesets",
      "api_keys.ecosystem_names as ecosystems",
      "api_keys.may_append as mayAppend",
      "api_keys.roles as keyRoles",
      "api_keys.expires_at as expiresAt",
      "users.id as userId",
      "users.username",
    ])
    .select(effectiveRoles().as("roles"))
    .select(effectiveGroups().as("groups"))
    .select(effectiveGroupNames().as("groupNames"))
    .where("users.locked", "=", false)
    .where(stillBelongs(confirmedDays))
    .where(sql<boolean>`coalesce(api_keys.expires_at > now(), true)`);

const selectCaller = (db: Kysely<Database>, hash: string, confirmedDays: number) =>
  selectWorking(db, confirmedDays)
    .innerJoin("api_key_values", "api_key_values.key_id", "api_keys.id")
    .select(["api_key_values.value", "api_key_values.ends_at as valueEndsAt"])
    .where("api_key_values.hash", "=", hash)
    .where(sql<boolean>`coalesce(api_key_values.ends_at > now(), true)`)
    .executeTakeFirst();

/** The owner as the key acts now, for work that outlives the call that started it; undefined if the key works no longer. */
export async function userOfKey(db: Kysely<Database>, keyId: string, confirmedDays: number): Promise<SignedInUser | undefined> {
  const row = await selectWorking(db, confirmedDays).where("api_keys.id", "=", keyId).executeTakeFirst();
  return row && ownerOf(row);
}

type Row = NonNullable<Awaited<ReturnType<ReturnType<typeof selectWorking>["executeTakeFirst"]>>>;

const ownerOf = ({ keyId, keyName, userId, username, keyRoles, datasets, filesets, ecosystems, mayAppend, ...row }: Row) =>
  SignedInUser.make({
    id: userId,
    username,
    roles: rolesOfKey(row.roles, keyRoles),
    groups: row.groups,
    groupNames: row.groupNames,
    sessionId: keyId,
    signedInAtMs: 0,
    reach: { apiKeyId: keyId, apiKeyName: keyName, datasets, filesets, ecosystems, mayAppend },
  });

/** A key never has a role that its owner has lost. */
const rolesOfKey = (owned: readonly string[], chosen: readonly string[] | null): readonly string[] =>
  chosen === null ? owned : owned.filter((role) => chosen.includes(role));

/** The owner as one of their keys acts: with these of their roles; with null, the owner. */
export function withRolesOfKey(owner: SignedInUser, chosen: readonly string[] | null): SignedInUser {
  if (chosen === null) return owner;
  const { id, username, roles, groups, groupNames, sessionId, signedInAtMs } = owner;
  return SignedInUser.make({ id, username, roles: rolesOfKey(roles, chosen), groups, groupNames, sessionId, signedInAtMs });
}

async function recordUse(db: Kysely<Database>, keyId: string): Promise<void> {
  await db
    .updateTable("api_keys")
    .set({ last_used_at: sql<Date>`now()` })
    .where("id", "=", keyId)
    .where(sql<boolean>`coalesce(last_used_at < now() - make_interval(secs => ${lastUsedSeconds}), true)`)
    .execute();
}
