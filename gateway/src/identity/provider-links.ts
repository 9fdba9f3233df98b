import { createHash, randomUUID } from "node:crypto";
import { newUserTexts } from "@fairway/contract/accounts";
import { newUsername } from "@fairway/contract/auth";
import { type ColumnType, type Generated, type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { type Account, administratorRole, ensureRoles, findById, findByUsername, lockAccountCreation } from "./accounts.ts";
import { noteSecurityEvents } from "./security-events.ts";
import { LookAlikes, usernameKey } from "./username.ts";

declare module "#database/schema.ts" {
  interface Database {
    /** Accounts of people of the organization's OpenID Connect provider. A person has one account, and an account at most one person. */
    provider_links: {
      user_id: string;
      /** Links of an issuer that is no longer configured have no effect. */
      issuer: string;
      /** `ProviderPerson.hash`; unique. */
      person_hash: string;
      /** For administrators. Null for links of before it was stored, until the person's next sign-in or renewal. */
      subject: string | null;
      /** The first sign-in made the account, so the provider also says its name and email. */
      made_account: boolean;
      linked_at: ColumnType<Date, never, never>;
      /** When the provider last confirmed that the person may sign in. */
      confirmed_at: Generated<Date>;
    };
    /** Roles by the provider's claims. Those of administrators are in `user_roles`. */
    provider_roles: { user_id: string; role_id: string };
    /** Groups by the provider's claims. Those of administrators are in `user_groups`. */
    provider_groups: { user_id: string; group_id: string };
  }
}

/** A person whom the provider has just confirmed. Texts are unchecked, and empty if the provider does not say them. */
export interface ProviderPerson {
  readonly issuer: string;
  readonly subject: string;
  /** `personHash` of issuer and subject. */
  readonly hash: string;
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** Undefined if the provider did not say: unchanged. */
  readonly grants: Grants | undefined;
}

/** SHA-256 (hex). Identifies a person: a subject is only unique within its issuer. */
export const personHash = (issuer: string, subject: string): string =>
  createHash("sha256")
    .update(JSON.stringify([issuer, subject]))
    .digest("hex");

/** Permissions of a person, by the provider's claims. */
export interface Grants {
  readonly isAllowed: boolean;
  /** Roles that the operator maps to; created if missing. */
  readonly roles: readonly string[];
  /** Names that count if there is such a role, except the one of administrators, which has to be mapped. */
  readonly rolesByName: readonly string[];
  /** Names that count if there is such a group. The role of administrators is not taken from these groups. */
  readonly groupsByName: readonly string[];
}

/**
 * The account of a person, made if it is the first sign-in, with name, email, roles and groups as the provider says. `changed` tells
 * whether roles or groups changed. Refuses with `name-taken` if another account has the username or one that looks the same, and
 * with `forbidden` for a username that cannot be one here.
 */
export async function accountOf(
  db: Kysely<Database>,
  person: ProviderPerson,
  providerName: string,
): Promise<{ account: Account; changed: boolean }> {
  return db.transaction().execute(async (trx) => {
    const link = (await findLink(trx, person)) ?? (await makeAccount(trx, person, providerName));
    const changed = await applyClaims(trx, link, person);
    const account = await findById(trx, link.userId);
    if (!account) throw new Error("an account is gone although its link is locked");
    return { account, changed };
  });
}

/** Brings an account up to date with what the provider says. Returns whether anything changed that calls depend on. */
export async function applyClaims(trx: Kysely<Database>, link: Link, person: ProviderPerson): Promise<boolean> {
  await trx
    .updateTable("provider_links")
    .set({ confirmed_at: sql<Date>`now()`, subject: person.subject })
    .where("user_id", "=", link.userId)
    .execute();
  if (link.madeAccount) await updateTexts(trx, link.userId, person);
  return person.grants !== undefined && (await replaceGrants(trx, link.userId, person.grants));
}

interface Link {
  readonly userId: string;
  readonly madeAccount: boolean;
}

/** The link of a person, locked, so that concurrent sign-ins take turns. */
export const findLink = (trx: Kysely<Database>, { hash }: Pick<ProviderPerson, "hash">): Promise<Link | undefined> =>
  trx
    .selectFrom("provider_links")
    .select(["user_id as userId", "made_account as madeAccount"])
    .where("person_hash", "=", hash)
    .forUpdate()
    .executeTakeFirst();

/**
 * Condition on `users`: the account has a password, or the provider has confirmed its person within this time. API keys have no
 * session that the provider confirms, and must not outlive the person's time at the organization.
 */
export const stillBelongs = (days: number) =>
  sql<boolean>`(users.password_hash is not null or exists (
    select from provider_links where user_id = users.id and confirmed_at > now() - make_interval(days => ${days})
  ) or not exists (select from provider_links where user_id = users.id))`;

/** When the user's account was linked to a person of this issuer; undefined if it is not. */
export async function personLinkedSince(db: Kysely<Database>, userId: string, issuer: string): Promise<Date | undefined> {
  const link = await db
    .selectFrom("provider_links")
    .select("linked_at")
    .where("user_id", "=", userId)
    .where("issuer", "=", issuer)
    .executeTakeFirst();
  return link?.linked_at;
}

/**
 * Links a person to the account of a signed-in user. Refuses with `conflict` if the person has another account or the account
 * another person, with `not-signed-in` if the account was locked or deleted meanwhile.
 */
export async function linkPerson(db: Kysely<Database>, userId: string, person: ProviderPerson, providerName: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const user = await trx
      .selectFrom("users")
      .select("id")
      .where("id", "=", userId)
      .where("locked", "=", false)
      .forUpdate()
      .executeTakeFirst();
    if (!user) throw new Refusal("not-signed-in", "Your session has ended. Please sign in again.");
    // A person of an issuer that is no longer configured is replaced, unless the account was made for that person.
    await trx
      .deleteFrom("provider_links")
      .where("user_id", "=", userId)
      .where("issuer", "!=", person.issuer)
      .where("made_account", "=", false)
      .execute();
    const own = await trx.selectFrom("provider_links").select("person_hash").where("user_id", "=", userId).executeTakeFirst();
    if (own && own.person_hash !== person.hash) {
      throw new Refusal("conflict", `Another account at ${providerName} is linked to your account. Unlink it first.`);
    }
    if (!own) {
      const linked = await trx
        .insertInto("provider_links")
        .values({ user_id: userId, issuer: person.issuer, person_hash: person.hash, subject: person.subject, made_account: false })
        .onConflict((conflict) => conflict.column("person_hash").doNothing())
        .returning("user_id")
        .executeTakeFirst();
      if (!linked) throw new Refusal("conflict", `Your account at ${providerName} is linked to another account here.`);
      await noteSecurityEvents(trx, [{ userId, kind: "provider-linked", subject: providerName }]);
    }
    await applyClaims(trx, { userId, madeAccount: false }, person);
  });
}

interface Unlinking {
  readonly providerName: string;
  /** The administrator who unlinks; undefined for the account's own user. */
  readonly by?: string;
  /** Why an account without a password is not unlinked. */
  readonly needsPassword: string;
}

/**
 * Unlinks an account from its person and takes the person's roles and groups away. Other sessions that were started at the provider
 * end, the calling one no longer depends on it. False if there is no link. Refuses with `conflict` for an account without a password.
 */
export async function unlinkPerson(
  db: Kysely<Database>,
  { id: userId, sessionId }: Pick<SignedInUser, "id" | "sessionId">,
  { providerName, by, needsPassword }: Unlinking,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const user = await trx.selectFrom("users").select("password_hash").where("id", "=", userId).forUpdate().executeTakeFirst();
    const link = await trx.selectFrom("provider_links").select("user_id").where("user_id", "=", userId).executeTakeFirst();
    if (!link) return false;
    if (user?.password_hash === null) throw new Refusal("conflict", needsPassword);
    await noteSecurityEvents(trx, [{ userId, kind: "provider-unlinked", subject: providerName, ...(by === undefined ? {} : { by }) }]);
    await trx.deleteFrom("provider_sessions").where("session_id", "=", sessionId).execute();
    await forgetPerson(trx, userId);
    return true;
  });
}

/** Removes what an account has of its person: the link, roles and groups, and sessions that were started at the provider. */
export async function forgetPerson(trx: Kysely<Database>, userId: string): Promise<void> {
  await trx.deleteFrom("provider_links").where("user_id", "=", userId).execute();
  await trx.deleteFrom("provider_roles").where("user_id", "=", userId).execute();
  await trx.deleteFrom("provider_groups").where("user_id", "=", userId).execute();
  await trx
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("id", "in", (sessions) => sessions.selectFrom("provider_sessions").select("session_id"))
    .execute();
}

async function makeAccount(trx: Kysely<Database>, person: ProviderPerson, providerName: string): Promise<Link> {
  const parsed = newUsername.safeParse(person.username);
  if (!parsed.success) {
    throw new Refusal(
      "forbidden",
      `Your username at ${providerName} cannot be used here: it needs 2 to 100 visible characters without '/' and '~'. Tell your administrator.`,
    );
  }
  const username = parsed.data;
  await lockAccountCreation(trx);
  // A concurrent first sign-in of the same person may have made it.
  const link = await findLink(trx, person);
  if (link) return link;
  const taken = (await findByUsername(trx, username)) ?? (await findSimilar(trx, username));
  if (taken) {
    throw new Refusal(
      "name-taken",
      `Your username at ${providerName}, '${username}', belongs to another account here. If it is yours, sign in to it with its password and link it under Profile, Sign-in Methods. Otherwise tell your administrator.`,
    );
  }
  const userId = randomUUID();
  await trx
    .insertInto("users")
    .values({ id: userId, username, username_key: usernameKey(username), password_hash: null })
    .execute();
  await trx
    .insertInto("provider_links")
    .values({ user_id: userId, issuer: person.issuer, person_hash: person.hash, subject: person.subject, made_account: true })
    .execute();
  await noteSecurityEvents(trx, [{ userId, kind: "provider-linked", subject: providerName }]);
  return { userId, madeAccount: true };
}

async function findSimilar(trx: Kysely<Database>, username: string): Promise<string | undefined> {
  const users = await trx.selectFrom("users").select("username").execute();
  return (await LookAlikes.of(users.map((user) => user.username))).find(username);
}

/** Texts that could not be entered here, such as names with control characters, are not taken. */
async function updateTexts(trx: Kysely<Database>, userId: string, person: ProviderPerson): Promise<void> {
  const usable = (field: keyof typeof newUserTexts.shape): string | null => newUserTexts.shape[field].safeParse(person[field]).data || null;
  const [email, firstName, lastName] = [usable("email"), usable("firstName"), usable("lastName")];
  const before = await trx.selectFrom("users").select("email").where("id", "=", userId).executeTakeFirst();
  await trx
    .updateTable("users")
    .set((eb) => ({ email, first_name: firstName, last_name: lastName, version: eb("version", "+", 1) }))
    .where("id", "=", userId)
    .where(sql<boolean>`(email, first_name, last_name) is distinct from (${email}::text, ${firstName}::text, ${lastName}::text)`)
    .execute();
  const isNewEmail = before?.email !== null && before?.email !== undefined && before.email !== email;
  if (isNewEmail) await noteSecurityEvents(trx, [{ userId, kind: "email-changed" }]);
}

async function replaceGrants(trx: Kysely<Database>, userId: string, grants: Grants): Promise<boolean> {
  const byName = grants.rolesByName.filter((name) => name !== administratorRole);
  const mapped = await ensureRoles(trx, grants.roles);
  const roles = await sql<{ changed: boolean }>`
    with wanted as (
      select id from roles where id = any(${mapped}::text[]) or name = any(${byName}::text[])
    ), removed as (
      delete from provider_roles where user_id = ${userId} and role_id not in (select id from wanted) returning 1
    ), added as (
      insert into provider_roles (user_id, role_id) select ${userId}, id from wanted on conflict do nothing returning 1
    )
    select exists (select from removed) or exists (select from added) as changed`.execute(trx);
  const groups = await sql<{ changed: boolean }>`
    with wanted as (
      select id from groups where name = any(${grants.groupsByName}::text[])
    ), removed as (
      delete from provider_groups where user_id = ${userId} and group_id not in (select id from wanted) returning 1
    ), added as (
      insert into provider_groups (user_id, group_id) select ${userId}, id from wanted on conflict do nothing returning 1
    )
    select exists (select from removed) or exists (select from added) as changed`.execute(trx);
  return [...roles.rows, ...groups.rows].some(({ changed }) => changed);
}
