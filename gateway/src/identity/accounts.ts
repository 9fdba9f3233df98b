import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { hashPassword } from "./passwords.ts";
import { usernameKey } from "./username.ts";

/** A user with the fields that sign-in and tokens need. */
export interface Account {
  readonly id: string;
  readonly username: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly passwordHash: string | null;
  readonly requirePasswordChange: boolean;
  readonly locked: boolean;
  /** Whether an authenticator app or a passkey is set up. */
  readonly hasSecondFactor: boolean;
  /** Direct roles and roles of groups, sorted, without duplicates. */
  readonly roles: string[];
  /** Ids of groups, also of those by the provider's claims. */
  readonly groups: string[];
  readonly groupNames: string[];
}

/** Declarative description of accounts. Existing groups, roles and users are not changed. */
export interface AccountsDescription {
  readonly roles: readonly string[];
  readonly groups: readonly { name: string; roles: readonly string[] }[];
  readonly users: readonly {
    username: string;
    password: string;
    firstName: string;
    lastName: string;
    email: string;
    groups: readonly string[];
    roles?: readonly string[];
  }[];
}

export const administratorRole = "admin";

/** Ensures that one gateway at a time creates the first accounts. Arbitrary, but must not be used by another advisory lock. */
const creationLock = 7_102_001;

export const lockAccountCreation = (db: Kysely<Database>) => sql`select pg_advisory_xact_lock(${creationLock})`.execute(db);

/**
 * Subquery of all roles of the outer query's user: direct ones, those of groups, and both by the claims of the OpenID Connect
 * provider, sorted by code point, without duplicates.
 */
export const effectiveRoles = () => sql<string[]>`array(
  select roles.name from roles where roles.id in (
    select role_id from user_roles where user_id = users.id
    union all
    select role_id from group_roles join user_groups using (group_id) where user_groups.user_id = users.id
    union all
    select role_id from provider_roles where user_id = users.id
    union all
    select role_id from group_roles join provider_groups using (group_id) join roles held on held.id = role_id
    where provider_groups.user_id = users.id and held.name <> ${administratorRole}
  ) order by roles.name collate "C"
)`;

/** Subquery of the ids of all groups of the outer query's user: those by administrators and by the claims of the provider, sorted. */
export const effectiveGroups = () => sql<string[]>`array(
  select group_id from user_groups where user_id = users.id
  union
  select group_id from provider_groups where user_id = users.id
  order by group_id
)`;

/** Likewise, their names. */
export const effectiveGroupNames = () => sql<string[]>`array(
  select groups.name from groups where groups.id in (
    select group_id from user_groups where user_id = users.id
    union
    select group_id from provider_groups where user_id = users.id
  ) order by groups.name collate "C"
)`;

const accountColumns = [
  "users.id",
  "users.username",
  "users.first_name as firstName",
  "users.last_name as lastName",
  "users.email",
  "users.password_hash as passwordHash",
  "users.require_password_change as requirePasswordChange",
  "users.locked",
] as const;

/** Subquery: whether the outer query's user has an authenticator app or a passkey. */
export const hasSecondFactor = sql<boolean>`(
  exists (select from authenticators where authenticators.user_id = users.id and authenticators.confirmed_at is not null)
  or exists (select from passkeys where passkeys.user_id = users.id)
)`;

const selectAccount = (db: Kysely<Database>) =>
  db
    .selectFrom("users")
    .select(accountColumns)
    .select(hasSecondFactor.as("hasSecondFactor"))
    .select(effectiveRoles().as("roles"))
    .select(effectiveGroups().as("groups"))
    .select(effectiveGroupNames().as("groupNames"));

export const findByUsername = (db: Kysely<Database>, username: string): Promise<Account | undefined> =>
  selectAccount(db).where("users.username_key", "=", usernameKey(username)).executeTakeFirst();

export const findById = (db: Kysely<Database>, id: string): Promise<Account | undefined> =>
  selectAccount(db).where("users.id", "=", id).executeTakeFirst();

/** The users who hold one of these roles, directly or by a group, and are not locked; by username. */
export const holdersOf = (db: Kysely<Database>, ...roles: readonly string[]): Promise<Account[]> =>
  selectAccount(db)
    .where("users.locked", "=", false)
    .where(
      sql<boolean>`users.id in (
        select user_id from user_roles join roles on roles.id = role_id where roles.name = any(${roles}::text[])
        union
        select user_id from user_groups join group_roles using (group_id) join roles on roles.id = role_id where roles.name = any(${roles}::text[])
        union
        select user_id from provider_roles join roles on roles.id = role_id where roles.name = any(${roles}::text[])
        union
        select user_id from provider_groups join group_roles using (group_id) join roles on roles.id = role_id
        where roles.name = any(${roles}::text[]) and roles.name <> ${administratorRole}
      )`,
    )
    .orderBy(sql`users.username_key collate "C"`)
    .execute();

/** The account that a card is linked to, in a single query whether or not there is one. */
export const findByCard = (db: Kysely<Database>, cardHash: string): Promise<Account | undefined> =>
  selectAccount(db)
    .where("users.id", "=", (links) => links.selectFrom("card_links").select("user_id").where("card_hash", "=", cardHash))
    .executeTakeFirst();

export async function anyoneExists(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom("users").select("id").limit(1).executeTakeFirst()) !== undefined;
}

/** Creates missing accounts in one transaction. Hashes passwords of new users only. */
export async function ensureAccounts(db: Kysely<Database>, accounts: AccountsDescription): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockAccountCreation(trx);
    await ensureRoles(trx, accounts.roles);
    for (const { name, roles } of accounts.groups) {
      const id = randomUUID();
      const group = { id, name };
      const created = await trx
        .insertInto("groups")
        .values(group)
        .onConflict((conflict) => conflict.column("name").doNothing())
        .returning("id")
        .executeTakeFirst();
      if (!created) continue;
      const roleIds = await ensureRoles(trx, roles);
      if (roleIds.length > 0)
        await trx
          .insertInto("group_roles")
          .values(roleIds.map((role_id) => ({ group_id: id, role_id })))
          .execute();
    }
    for (const user of accounts.users) {
      if (await findByUsername(trx, user.username)) continue;
      await createUser(trx, user);
    }
  });
}

export interface NewUser {
  readonly username: string;
  readonly password: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly email?: string;
  readonly groups?: readonly string[];
  readonly roles?: readonly string[];
}

/** Creates a user with existing groups and with roles, which are created if missing. */
export async function createUser(db: Kysely<Database>, user: NewUser): Promise<void> {
  const id = randomUUID();
  await db
    .insertInto("users")
    .values({
      id,
      username: user.username,
      username_key: usernameKey(user.username),
      first_name: user.firstName ?? null,
      last_name: user.lastName ?? null,
      email: user.email ?? null,
      password_hash: await hashPassword(user.password),
    })
    .execute();
  const roleIds = await ensureRoles(db, user.roles ?? []);
  if (roleIds.length > 0)
    await db
      .insertInto("user_roles")
      .values(roleIds.map((role_id) => ({ user_id: id, role_id })))
      .execute();
  for (const name of user.groups ?? []) {
    const group = await db.selectFrom("groups").select("id").where("name", "=", name).executeTakeFirst();
    if (!group) throw new Error(`user '${user.username}' belongs to group '${name}', which does not exist`);
    await db.insertInto("user_groups").values({ user_id: id, group_id: group.id }).execute();
  }
}

/** Returns the ids of roles by name, creating missing ones. */
export async function ensureRoles(db: Kysely<Database>, names: readonly string[]): Promise<string[]> {
  const distinct = [...new Set(names)];
  if (distinct.length === 0) return [];
  await db
    .insertInto("roles")
    .values(distinct.map((name) => ({ id: randomUUID(), name })))
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const rows = await db.selectFrom("roles").select("id").where("name", "in", distinct).execute();
  return rows.map((row) => row.id);
}
