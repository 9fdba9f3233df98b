import { randomUUID } from "node:crypto";
import { type UserDraft, userDraft } from "@fairway/contract/accounts";
import { newUsername } from "@fairway/contract/auth";
import { sql } from "kysely";
import type { SignedInUser } from "#http/handlers.ts";
import { parsed } from "#http/parsed.ts";
import { Refusal } from "#http/refusal.ts";
import { hasSecondFactor } from "#identity/accounts.ts";
import { unlinkCard } from "#identity/card-links.ts";
import { hashPassword } from "#identity/passwords.ts";
import { type NewSecurityEvent, noteSecurityEvents } from "#identity/security-events.ts";
import { checkedTexts } from "#identity/user-texts.ts";
import { LookAlikes, usernameKey } from "#identity/username.ts";
import { type AccountParts, accountKeeper, sameIds, storableIds, textId } from "./account-keeper.ts";
import { type Named, resolve } from "./account-references.ts";
import type { Change, Keeper, Save, State, Trx } from "./keeper.ts";

/** What an import may set: each takes some fifty milliseconds of a processor. */
const passwordsAtOnce = 100;

interface UserEntity {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly groups: readonly Named[];
  readonly roles: readonly Named[];
  readonly password: { readonly setPassword: false; readonly value: ""; readonly requirePasswordChange: boolean };
  readonly lockStatus: { readonly disabled: boolean; readonly byFailures?: true };
  /** Only where one is set up. */
  readonly secondFactor?: true;
  readonly version: number;
  readonly enabled: boolean;
}

/** A draft whose groups and roles are found. */
interface FittingUser extends Omit<UserDraft, "groups" | "roles"> {
  readonly groups: readonly Named[];
  readonly roles: readonly Named[];
}

/** Users as administrators keep them, in the tables of the accounts. Enabled means that no lock holds the user. */
export function usersKeeper({ identity, passwordPolicy }: AccountParts): Keeper {
  const states = async (trx: Trx, ids?: readonly string[]): Promise<State[]> => {
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
    return rows.map((row) => {
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
      return { id: row.id, key: usernameKey(row.username), entity: { ...entity }, kept: { locked: row.locked } };
    });
  };

  return {
    ...accountKeeper("users", "user", userDraft),
    canDisable: true,
    states,
    idOf: async (draft, trx) => {
      const [id, username] = [textId(draft["id"]), textId(draft["username"])];
      const found = await trx
        .selectFrom("users")
        .select("id")
        .where((eb) => eb.or([eb("id", "=", id ?? ""), eb("username_key", "=", id === undefined ? usernameKey(username ?? "") : "")]))
        .executeTakeFirst();
      return found?.id;
    },
    fit: async (draft, before, trx) => {
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
      if (!before) await requireFree(trx, username);
      const fitting: FittingUser = {
        ...user,
        groups: await resolve(trx, "groups", user.groups),
        roles: await resolve(trx, "roles", user.roles),
      };
      return { id: before?.id ?? randomUUID(), key, draft: fitting };
    },
    tooManyOf: (saves) =>
      saves
        .filter(({ draft }) => (draft as FittingUser).password?.setPassword)
        .slice(passwordsAtOnce)
        .map((save) => ({
          save,
          refusal: new Refusal("too-large", `One import may set ${passwordsAtOnce} passwords.`, { path: "password.setPassword" }),
        })),
    apply: async (changes, trx, by) => {
      const saves = changes.filter((change) => change.kind === "save");
      const removed = changes.flatMap(({ kind, id }) => (kind === "remove" ? [id] : []));
      if (removed.length > 0) await sql`delete from users where id = any(${removed}::text[])`.execute(trx);
      const links: Links = { groups: [], roles: [] };
      for (const change of saves) await save(trx, change, links, by?.sessionId);
      await link(trx, links);
      const events = saves.flatMap((change) => signInChangesOf(change, by));
      await noteSecurityEvents(trx, events);
      for (const change of changes) if (change.kind === "enable") await setLocked(trx, change.id, !change.enabled);
      return states(
        trx,
        changes.flatMap(({ kind, id }) => (kind === "remove" ? [] : [id])),
      );
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

/** What the usernames of a transaction look like, those among them that it is about to create. */
const looks = new WeakMap<Trx, LookAlikes>();

async function requireFree(trx: Trx, username: string): Promise<void> {
  const key = usernameKey(username);
  const taken = await trx.selectFrom("users").select("username").where("username_key", "=", key).executeTakeFirst();
  if (taken) throw new Refusal("name-taken", `There is already a user '${taken.username}'.`, { path: "username" });
  const known = looks.get(trx) ?? new LookAlikes((await trx.selectFrom("users").select("username").execute()).map((one) => one.username));
  looks.set(trx, known);
  const similar = known.find(username);
  if (similar !== undefined) {
    throw new Refusal("name-taken", `This username looks like that of the user '${similar}'. Choose another one.`, { path: "username" });
  }
  known.add(username);
}

/** Whether the change is meant to end the locks that hold the user. What a draft says again of the present state is no wish. */
function unlocks(change: Change): boolean {
  if (change.kind === "remove" || !change.before || change.before.entity.enabled === true) return false;
  return change.kind === "enable" ? change.enabled : wishedLock(change) === false;
}

/** The lock that a save asks for; undefined where it says what is there already. */
function wishedLock({ draft, enabled, before }: Save): boolean | undefined {
  const { disabled: wished, byFailures } = (draft as FittingUser).lockStatus ?? {};
  const now = before ? before.entity.enabled === false : false;
  // A stranger's failures locked the user when this was read, and that ends by itself: nobody wishes it to last.
  if (byFailures === true) return now && (enabled || wished === false) ? false : undefined;
  if (wished !== undefined && wished !== now) return wished;
  return enabled === now ? !enabled : undefined;
}

/** Pairs of a user's id with that of a group or role, to be written together. */
interface Links {
  readonly groups: [user: string, group: string][];
  readonly roles: [user: string, role: string][];
}

async function save(trx: Trx, change: Save, links: Links, callersSession: string | undefined): Promise<void> {
  const { id, draft, before } = change;
  const { username, email, firstName, lastName, password, groups, roles } = draft as FittingUser;
  const current = before?.entity as unknown as UserEntity | undefined;
  const newPassword = password?.setPassword === true ? password.value : null;
  const columns = { email: email || null, first_name: firstName || null, last_name: lastName || null };
  const require_password_change = password?.requirePasswordChange ?? current?.password.requirePasswordChange ?? false;
  const hash = newPassword ? { password_hash: await hashPassword(newPassword) } : {};
  const joins = () => {
    for (const group of groups) links.groups.push([id, group.id]);
    for (const role of roles) links.roles.push([id, role.id]);
  };
  if (!current) {
    await trx
      .insertInto("users")
      .values({ id, username, username_key: usernameKey(username), ...columns, ...hash, require_password_change })
      .execute();
    joins();
  } else {
    const isSame =
      newPassword === null &&
      current.email === email &&
      current.firstName === firstName &&
      current.lastName === lastName &&
      current.password.requirePasswordChange === require_password_change &&
      sameIds(current.groups, groups) &&
      sameIds(current.roles, roles);
    if (!isSame) {
      await trx
        .updateTable("users")
        .set((eb) => ({ ...columns, ...hash, require_password_change, version: eb("version", "+", 1) }))
        .where("id", "=", id)
        .execute();
      await trx.deleteFrom("user_groups").where("user_id", "=", id).execute();
      await trx.deleteFrom("user_roles").where("user_id", "=", id).execute();
      joins();
    }
  }
  if (newPassword) {
    // Whoever knows the old one is out, and whoever linked a card by it.
    await unlinkCard(trx, id);
    await trx
      .deleteFrom("sessions")
      .where("user_id", "=", id)
      .where("id", "!=", callersSession ?? "")
      .execute();
  }
  const lock = wishedLock(change);
  if (lock !== undefined) await setLocked(trx, id, lock);
}

/** What a save of a user who is there already changes of how they sign in. */
function signInChangesOf({ id, draft, before }: Save, by: Pick<SignedInUser, "id" | "username"> | undefined): NewSecurityEvent[] {
  if (!before) return [];
  const { email, password } = draft as FittingUser;
  const about = { userId: id, ...(by && by.id !== id ? { by: by.username } : {}) };
  return [
    ...(password?.setPassword === true && password.value ? [{ ...about, kind: "password-changed" as const }] : []),
    ...((before.entity as unknown as UserEntity).email === email ? [] : [{ ...about, kind: "email-changed" as const }]),
  ];
}

async function link(trx: Trx, { groups, roles }: Links): Promise<void> {
  const columnsOf = (pairs: readonly [string, string][]) => [pairs.map(([user]) => user), pairs.map(([, other]) => other)];
  const [inGroups, ofGroups] = columnsOf(groups);
  await sql`insert into user_groups (user_id, group_id) select * from unnest(${inGroups}::text[], ${ofGroups}::text[])`.execute(trx);
  const [holders, held] = columnsOf(roles);
  await sql`insert into user_roles (user_id, role_id) select * from unnest(${holders}::text[], ${held}::text[])`.execute(trx);
}

/** A locked user's sessions end. */
async function setLocked(trx: Trx, id: string, locked: boolean): Promise<void> {
  await trx
    .updateTable("users")
    .set((eb) => ({ locked, version: eb("version", "+", 1) }))
    .where("id", "=", id)
    .execute();
  if (locked) await trx.deleteFrom("sessions").where("user_id", "=", id).execute();
}
