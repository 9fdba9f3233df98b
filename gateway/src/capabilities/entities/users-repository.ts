import { randomUUID } from "node:crypto";
import { userDraft } from "@fairway/contract/accounts";
import { credential, newUsername } from "@fairway/contract/auth";
import { sql } from "kysely";
import { z } from "zod";
import { parsed } from "#http/parsed.ts";
import { Refusal } from "#http/refusal.ts";
import { hasSecondFactor } from "#identity/accounts.ts";
import { hashPasswords } from "#identity/passwords.ts";
import { checkedTexts } from "#identity/user-texts.ts";
import { LookAlikes, usernameKey } from "#identity/username.ts";
import { leaveThings } from "#sharing/deleted-accounts.ts";
import { TimeSlice } from "#threads/time-slice.ts";
import { type AccountParts, accountRepository, storableIds, textId } from "./account-repository.ts";
import { type Named, resolve } from "./account-references.ts";
import {
  type Change,
  type EntityRepository,
  type Snapshot,
  type Prepared,
  type EntityState,
  type Trx,
  remainingIds,
  removedIds,
} from "./entity-repository.ts";
import { type ValidUser, type UserEntity, saveUsers, setLocked, requestedLock } from "./saved-users.ts";

/** Maximum number of passwords that one import may set: hashing one takes about 50 ms of CPU time. */
const maxPasswords = 100;

/** Users, in the tables of the accounts. A user is enabled unless locked. */
export function usersRepository({ identity, passwordPolicy }: AccountParts): EntityRepository {
  const states = async (trx: Trx, ids?: readonly string[]): Promise<EntityState[]> => {
    const rows = await trx
      .selectFrom("users")
      .leftJoin("provider_links", "provider_links.user_id", "users.id")
      .select(["id", "username", "email", "first_name", "last_name", "require_password_change", "locked", "version"])
      .select(hasSecondFactor.as("hasSecondFactor"))
      .select(namedOf("groups", "user").as("groups"))
      .select(namedOf("roles", "user").as("roles"))
      .select("provider_links.made_account as madeAccount")
      .select(namedOf("groups", "provider").as("providerGroups"))
      .select(namedOf("roles", "provider").as("providerRoles"))
      .$if(ids !== undefined, (query) => query.where(sql<boolean>`id = any(${storableIds(ids)}::text[])`))
      .orderBy("username_key")
      .execute();
    const locked = await identity.lockedByFailures(
      rows.map(({ username }) => username),
      trx,
    );
    const slice = new TimeSlice();
    const all: EntityState[] = [];
    for (const row of rows) {
      await slice.end();
      const isLocked = row.locked || locked.has(row.username);
      const entity: UserEntity = {
        id: row.id,
        username: row.username,
        email: row.email ?? "",
        firstName: row.first_name ?? "",
        lastName: row.last_name ?? "",
        groups: row.groups,
        roles: row.roles,
        password: { setPassword: false, value: "", requirePasswordChange: row.require_password_change },
        lockStatus: { disabled: isLocked, ...(isLocked && !row.locked ? { byFailures: true } : {}) },
        ...(row.hasSecondFactor ? { secondFactor: true } : {}),
        ...(row.madeAccount === null
          ? {}
          : { provider: { madeAccount: row.madeAccount, groups: row.providerGroups, roles: row.providerRoles } }),
        version: row.version,
        enabled: !isLocked,
      };
      all.push({ id: row.id, key: usernameKey(row.username), entity: { ...entity }, stored: { locked: row.locked } });
    }
    return all;
  };

  return {
    ...accountRepository("users", "user", userDraft),
    canDisable: true,
    states,
    idOf: async (draft, trx, snapshot) => {
      const [id, username] = [textId(draft["id"]), textId(draft["username"])];
      if (snapshot) return (id === undefined ? snapshot.byKey.get(usernameKey(username ?? "")) : snapshot.byId.get(id))?.id;
      const found = await trx
        .selectFrom("users")
        .select("id")
        .where((eb) => eb.or([eb("id", "=", id ?? ""), eb("username_key", "=", id === undefined ? usernameKey(username ?? "") : "")]))
        .executeTakeFirst();
      return found?.id;
    },
    validate: async (draft, before, trx, snapshot) => {
      const current = before?.entity as unknown as UserEntity | undefined;
      const sent = parsed(userDraft, draft, "The user");
      const username = current ? sent.username : parsed(newUsername, sent.username, "The username", ["username"]);
      const user = { ...sent, ...checkedTexts(sent, current), username };
      const key = usernameKey(username);
      if (current && user.username !== current.username) {
        throw new Refusal("invalid-request", "'username': cannot be changed after the user is created.", { path: "username" });
      }
      const password = user.password?.setPassword === true ? (user.password.value ?? "") : undefined;
      if (password !== undefined) await passwordPolicy.requireAcceptable(password, { username }, "password.value");
      if (!before) await requireFree(trx, username, snapshot);
      const valid: ValidUser = {
        ...user,
        groups: await resolve(trx, "groups", user.groups),
        roles: await resolve(trx, "roles", user.roles),
      };
      return { id: before?.id ?? randomUUID(), key, draft: valid };
    },
    overLimit: (saves) =>
      saves
        .filter(({ draft }) => (draft as ValidUser).password?.setPassword)
        .slice(maxPasswords)
        .map((save) => ({
          save,
          refusal: new Refusal("too-large", `One import may set ${maxPasswords} passwords.`, { path: "password.setPassword" }),
        })),
    prepare: async (drafts, isKept) => {
      const passwords = drafts.flatMap(passwordIn);
      // Imports beyond the limit are refused. Previews need only a placeholder instead of a hash.
      const needsHashes = isKept && passwords.length <= maxPasswords;
      return needsHashes ? preparedHashes(passwords) : { takeHash: () => (isKept ? undefined : "") };
    },
    apply: async (changes, trx, by, prepared) => {
      const removed = removedIds(changes);
      if (removed.length > 0) {
        await leaveThings(trx, removed);
        await sql`delete from users where id = any(${removed}::text[])`.execute(trx);
      }
      await saveUsers(
        trx,
        changes.filter((change) => change.kind === "save"),
        { by, prepared },
      );
      for (const lock of [true, false]) {
        const ids = changes.flatMap((change) => (change.kind === "enable" && change.enabled !== lock ? [change.id] : []));
        await setLocked(trx, ids, lock);
      }
      return states(trx, remainingIds(changes));
    },
    referrers: () => Promise.resolve(new Map()),
    changed: async (changes) => {
      // Lockouts by failed sign-ins are not part of the transaction that unlocks the user.
      for (const { before } of changes.filter(unlocks)) {
        if (before) await identity.forgiveFailures((before.entity as unknown as UserEntity).username);
      }
      if (changes.length > 100) return identity.everyoneChanged();
      for (const { id } of changes) await identity.userChanged(id);
    },
  };
}

/** Names that an administrator gave the user, or the OpenID Connect provider. */
const namedOf = (table: "groups" | "roles", from: "user" | "provider") => {
  const [link, column] = [`${from}_${table}`, table === "groups" ? "group_id" : "role_id"];
  return sql<Named[]>`coalesce((
    select json_agg(json_build_object('id', named.id, 'name', named.name) order by named.name collate "C")
    from ${sql.table(link)} link join ${sql.table(table)} named on named.id = link.${sql.ref(column)}
    where link.user_id = users.id
  ), '[]'::json)`;
};

/** The password that an unvalidated draft sets, if any. */
function passwordIn(draft: unknown): string[] {
  const { data } = passwordDraft.safeParse(draft);
  return data === undefined ? [] : [data.password.value];
}

const passwordDraft = z.object({ password: z.object({ setPassword: z.literal(true), value: credential }) });

async function preparedHashes(passwords: readonly string[]): Promise<Prepared> {
  const hashes = await hashPasswords(passwords);
  const unused = new Map<string, string[]>();
  for (const [index, password] of passwords.entries()) unused.set(password, [...(unused.get(password) ?? []), hashes[index] ?? ""]);
  return { takeHash: (password) => unused.get(password)?.pop() };
}

/** Look-alike indexes of the usernames in a transaction, including those it is about to create. */
const lookAlikes = new WeakMap<Trx, LookAlikes>();

async function requireFree(trx: Trx, username: string, snapshot: Snapshot | undefined): Promise<void> {
  const key = usernameKey(username);
  const taken = snapshot
    ? (snapshot.byKey.get(key)?.entity as UserEntity | undefined)
    : await trx.selectFrom("users").select("username").where("username_key", "=", key).executeTakeFirst();
  if (taken) throw new Refusal("name-taken", `There is already a user '${taken.username}'.`, { path: "username" });
  const others =
    lookAlikes.get(trx) ?? (await LookAlikes.of((await trx.selectFrom("users").select("username").execute()).map((user) => user.username)));
  lookAlikes.set(trx, others);
  const similar = others.find(username);
  if (similar !== undefined) {
    throw new Refusal("name-taken", `This username looks like that of the user '${similar}'. Choose another one.`, { path: "username" });
  }
  others.add(username);
}

/** Whether the change unlocks the user. A draft that merely repeats the current state does not. */
function unlocks(change: Change): boolean {
  if (change.kind === "remove" || !change.before || change.before.entity.enabled === true) return false;
  return change.kind === "enable" ? change.enabled : requestedLock(change) === false;
}
