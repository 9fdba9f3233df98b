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
import { TimeSlice } from "#threads/time-slice.ts";
import { type AccountParts, accountRepository, storableIds, textId } from "./account-repository.ts";
import { type Named, resolve } from "./account-references.ts";
import {
  type Change,
  type EntityRepository,
  type Known,
  type Prepared,
  type EntityState,
  type Trx,
  remainingIds,
  removedIds,
} from "./entity-repository.ts";
import { type ValidUser, type UserEntity, saveUsers, setLocked, wishedLock } from "./saved-users.ts";

/** What an import may set: each takes some fifty milliseconds of a processor. */
const passwordsAtOnce = 100;

/** Users as administrators keep them, in the tables of the accounts. Enabled means that no lock holds the user. */
export function usersRepository({ identity, passwordPolicy }: AccountParts): EntityRepository {
  const states = async (trx: Trx, ids?: readonly string[]): Promise<EntityState[]> => {
    const rows = await trx
      .selectFrom("users")
      .select(["id", "username", "email", "first_name", "last_name", "require_password_change", "locked", "version"])
      .select(hasSecondFactor.as("hasSecondFactor"))
      .select(namedOf("groups").as("groups"))
      .select(namedOf("roles").as("roles"))
      .$if(ids !== undefined, (some) => some.where(sql<boolean>`id = any(${storableIds(ids)}::text[])`))
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
        version: row.version,
        enabled: !isLocked,
      };
      all.push({ id: row.id, key: usernameKey(row.username), entity: { ...entity }, kept: { locked: row.locked } });
    }
    return all;
  };

  return {
    ...accountRepository("users", "user", userDraft),
    canDisable: true,
    states,
    idOf: async (draft, trx, known) => {
      const [id, username] = [textId(draft["id"]), textId(draft["username"])];
      if (known) return (id === undefined ? known.byKey.get(usernameKey(username ?? "")) : known.byId.get(id))?.id;
      const found = await trx
        .selectFrom("users")
        .select("id")
        .where((eb) => eb.or([eb("id", "=", id ?? ""), eb("username_key", "=", id === undefined ? usernameKey(username ?? "") : "")]))
        .executeTakeFirst();
      return found?.id;
    },
    validate: async (draft, before, trx, known) => {
      const current = before?.entity as unknown as UserEntity | undefined;
      const sent = parsed(userDraft, draft, "The user");
      const username = current ? sent.username : parsed(newUsername, sent.username, "The username", ["username"]);
      const user = { ...sent, ...checkedTexts(sent, current), username };
      const key = usernameKey(username);
      if (current && user.username !== current.username) {
        throw new Refusal("invalid-request", "'username': is fixed once the user is created.", { path: "username" });
      }
      const password = user.password?.setPassword === true ? (user.password.value ?? "") : undefined;
      if (password !== undefined) await passwordPolicy.requireAcceptable(password, { username }, "password.value");
      if (!before) await requireFree(trx, username, known);
      const valid: ValidUser = {
        ...user,
        groups: await resolve(trx, "groups", user.groups),
        roles: await resolve(trx, "roles", user.roles),
      };
      return { id: before?.id ?? randomUUID(), key, draft: valid };
    },
    tooManyOf: (saves) =>
      saves
        .filter(({ draft }) => (draft as ValidUser).password?.setPassword)
        .slice(passwordsAtOnce)
        .map((save) => ({
          save,
          refusal: new Refusal("too-large", `One import may set ${passwordsAtOnce} passwords.`, { path: "password.setPassword" }),
        })),
    prepare: async (drafts, isKept) => {
      const passwords = drafts.flatMap(passwordIn);
      // More than that are refused. What is not kept needs no hash, only something in its place.
      const isWorth = isKept && passwords.length <= passwordsAtOnce;
      return isWorth ? preparedHashes(passwords) : { takeHash: () => (isKept ? undefined : "") };
    },
    apply: async (changes, trx, by, prepared) => {
      const removed = removedIds(changes);
      if (removed.length > 0) await sql`delete from users where id = any(${removed}::text[])`.execute(trx);
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
      // A lock of failed sign-ins is no part of the transaction that ends an administrator's.
      for (const { before } of changes.filter(unlocks)) {
        if (before) await identity.forgiveFailures((before.entity as unknown as UserEntity).username);
      }
      if (changes.length > 100) return identity.everyoneChanged();
      for (const { id } of changes) await identity.userChanged(id);
    },
  };
}

const namedOf = (table: "groups" | "roles") => {
  const [link, column] = table === "groups" ? ["user_groups", "group_id"] : ["user_roles", "role_id"];
  return sql<Named[]>`coalesce((
    select json_agg(json_build_object('id', named.id, 'name', named.name) order by named.name collate "C")
    from ${sql.table(link)} link join ${sql.table(table)} named on named.id = link.${sql.ref(column)}
    where link.user_id = users.id
  ), '[]'::json)`;
};

/** The password that a draft sets, as long as nobody has looked whether it is one. */
function passwordIn(draft: unknown): string[] {
  const { data } = passwordDraft.safeParse(draft);
  return data === undefined ? [] : [data.password.value];
}

const passwordDraft = z.object({ password: z.object({ setPassword: z.literal(true), value: credential }) });

async function preparedHashes(passwords: readonly string[]): Promise<Prepared> {
  const hashes = await hashPasswords(passwords);
  const left = new Map<string, string[]>();
  for (const [index, password] of passwords.entries()) left.set(password, [...(left.get(password) ?? []), hashes[index] ?? ""]);
  return { takeHash: (password) => left.get(password)?.pop() };
}

/** What the usernames of a transaction look like, those among them that it is about to create. */
const looks = new WeakMap<Trx, LookAlikes>();

async function requireFree(trx: Trx, username: string, known: Known | undefined): Promise<void> {
  const key = usernameKey(username);
  const taken = known
    ? (known.byKey.get(key)?.entity as UserEntity | undefined)
    : await trx.selectFrom("users").select("username").where("username_key", "=", key).executeTakeFirst();
  if (taken) throw new Refusal("name-taken", `There is already a user '${taken.username}'.`, { path: "username" });
  const others = looks.get(trx) ?? new LookAlikes((await trx.selectFrom("users").select("username").execute()).map((one) => one.username));
  looks.set(trx, others);
  const similar = others.find(username);
  if (similar !== undefined) {
    throw new Refusal("name-taken", `This username looks like that of the user '${similar}'. Choose another one.`, { path: "username" });
  }
  others.add(username);
}

/** Whether the change is meant to end the locks that hold the user. What a draft says again of the present state is no wish. */
function unlocks(change: Change): boolean {
  if (change.kind === "remove" || !change.before || change.before.entity.enabled === true) return false;
  return change.kind === "enable" ? change.enabled : wishedLock(change) === false;
}
