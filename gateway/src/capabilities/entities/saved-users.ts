import type { UserDraft } from "@fairway/contract/accounts";
import { sql } from "kysely";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { unlinkCard } from "#identity/card-links.ts";
import { hashPassword } from "#identity/passwords.ts";
import { type NewSecurityEvent, noteSecurityEvents } from "#identity/security-events.ts";
import { usernameKey } from "#identity/username.ts";
import { sameIds } from "./account-repository.ts";
import type { Named } from "./account-references.ts";
import type { Prepared, Save, Trx } from "./entity-repository.ts";

export interface UserEntity {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly groups: readonly Named[];
  readonly roles: readonly Named[];
  readonly password: { readonly setPassword: false; readonly value: ""; readonly requirePasswordChange: boolean };
  readonly lockStatus: { readonly disabled: boolean; readonly byFailures?: true };
  /** Present only if one is set up. */
  readonly secondFactor?: true;
  /** Present only if the account is linked to a person of the OpenID Connect provider. Groups and roles by the person's claims. */
  readonly provider?: { readonly madeAccount: boolean; readonly groups: readonly Named[]; readonly roles: readonly Named[] };
  readonly version: number;
  readonly enabled: boolean;
}

/** A draft with resolved groups and roles. */
export interface ValidUser extends Omit<UserDraft, "groups" | "roles"> {
  readonly groups: readonly Named[];
  readonly roles: readonly Named[];
}

/** The lock that a save requests; undefined if it repeats the current state. */
export function requestedLock({ draft, enabled, before }: Save): boolean | undefined {
  const { disabled: requested, byFailures } = (draft as ValidUser).lockStatus ?? {};
  const current = before ? before.entity.enabled === false : false;
  // The draft was read during a lockout by failed sign-ins, which ends by itself: do not turn it into a permanent lock.
  if (byFailures === true) return current && (enabled || requested === false) ? false : undefined;
  if (requested !== undefined && requested !== current) return requested;
  return enabled === current ? !enabled : undefined;
}

/** The columns of a user that a save writes. */
interface UserRow {
  readonly id: string;
  readonly username: string;
  readonly email: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** Null keeps the current password. */
  readonly passwordHash: string | null;
  readonly requirePasswordChange: boolean;
  readonly groups: readonly Named[];
  readonly roles: readonly Named[];
}

interface SaveContext {
  readonly by: SignedInUser | undefined;
  readonly prepared: Prepared | undefined;
}

/** Saves any number of users with a few statements. Unchanged users keep their version. */
export async function saveUsers(trx: Trx, saves: readonly Save[], { by, prepared }: SaveContext): Promise<void> {
  const [created, changed]: [UserRow[], UserRow[]] = [[], []];
  for (const save of saves) {
    const row = await rowOf(save, prepared);
    if (!save.before) created.push(row);
    else if (!isSame(row, save.before.entity as unknown as UserEntity)) changed.push(row);
  }
  for (const batch of batches(created)) {
    await insertRows(trx, batch);
    await link(trx, batch);
  }
  for (const batch of batches(changed)) {
    await updateRows(trx, batch);
    await link(trx, batch);
  }
  for (const { id, passwordHash } of [...created, ...changed]) {
    // A new password ends sessions and unlinks the card, which the old password may have started and linked.
    if (passwordHash !== null) await endSignIns(trx, id, by?.sessionId);
  }
  await noteSecurityEvents(
    trx,
    saves.flatMap((save) => signInChangesOf(save, by)),
  );
  for (const lock of [true, false]) {
    await setLocked(
      trx,
      saves.flatMap((save) => (requestedLock(save) === lock ? [save.id] : [])),
      lock,
    );
  }
}

async function rowOf({ id, draft, before }: Save, prepared: Prepared | undefined): Promise<UserRow> {
  const { username, email, firstName, lastName, password, groups, roles } = draft as ValidUser;
  const current = before?.entity as unknown as UserEntity | undefined;
  const newPassword = password?.setPassword === true ? password.value : null;
  return {
    id,
    username,
    email: email || null,
    firstName: firstName || null,
    lastName: lastName || null,
    passwordHash: newPassword ? (prepared?.takeHash(newPassword) ?? (await hashPassword(newPassword))) : null,
    requirePasswordChange: password?.requirePasswordChange ?? current?.password.requirePasswordChange ?? false,
    groups,
    roles,
  };
}

const isSame = (row: UserRow, current: UserEntity): boolean =>
  row.passwordHash === null &&
  current.email === (row.email ?? "") &&
  current.firstName === (row.firstName ?? "") &&
  current.lastName === (row.lastName ?? "") &&
  current.password.requirePasswordChange === row.requirePasswordChange &&
  sameIds(current.groups, row.groups) &&
  sameIds(current.roles, row.roles);

const valuesOf = <K extends keyof UserRow>(rows: readonly UserRow[], field: K): UserRow[K][] => rows.map((row) => row[field]);

/** Rows per statement: serializing more at once would block the event loop for too long. */
const rowsPerStatement = 500;

function* batches(rows: readonly UserRow[]): Generator<readonly UserRow[]> {
  for (let from = 0; from < rows.length; from += rowsPerStatement) yield rows.slice(from, from + rowsPerStatement);
}

async function insertRows(trx: Trx, rows: readonly UserRow[]): Promise<void> {
  const usernames = valuesOf(rows, "username");
  await sql`
    insert into users (id, username, username_key, email, first_name, last_name, password_hash, require_password_change)
    select * from unnest(
      ${valuesOf(rows, "id")}::text[], ${usernames}::text[], ${usernames.map(usernameKey)}::text[], ${valuesOf(rows, "email")}::text[],
      ${valuesOf(rows, "firstName")}::text[], ${valuesOf(rows, "lastName")}::text[], ${valuesOf(rows, "passwordHash")}::text[],
      ${valuesOf(rows, "requirePasswordChange")}::boolean[]
    )`.execute(trx);
}

async function updateRows(trx: Trx, rows: readonly UserRow[]): Promise<void> {
  const ids = valuesOf(rows, "id");
  await sql`
    update users set email = saved.email, first_name = saved.first_name, last_name = saved.last_name,
      password_hash = coalesce(saved.password_hash, users.password_hash),
      require_password_change = saved.require_password_change, version = users.version + 1
    from unnest(
      ${ids}::text[], ${valuesOf(rows, "email")}::text[], ${valuesOf(rows, "firstName")}::text[], ${valuesOf(rows, "lastName")}::text[],
      ${valuesOf(rows, "passwordHash")}::text[], ${valuesOf(rows, "requirePasswordChange")}::boolean[]
    ) as saved (id, email, first_name, last_name, password_hash, require_password_change)
    where users.id = saved.id`.execute(trx);
  await sql`delete from user_groups where user_id = any(${ids}::text[])`.execute(trx);
  await sql`delete from user_roles where user_id = any(${ids}::text[])`.execute(trx);
}

async function link(trx: Trx, rows: readonly UserRow[]): Promise<void> {
  const pairsOf = (field: "groups" | "roles") => {
    const pairs = rows.flatMap((row) => row[field].map((reference) => ({ user: row.id, other: reference.id })));
    return [pairs.map(({ user }) => user), pairs.map(({ other }) => other)];
  };
  const [inGroups, ofGroups] = pairsOf("groups");
  await sql`insert into user_groups (user_id, group_id) select * from unnest(${inGroups}::text[], ${ofGroups}::text[])`.execute(trx);
  const [holders, held] = pairsOf("roles");
  await sql`insert into user_roles (user_id, role_id) select * from unnest(${holders}::text[], ${held}::text[])`.execute(trx);
}

/** The security events of a save of an existing user. */
function signInChangesOf({ id, draft, before }: Save, by: Pick<SignedInUser, "id" | "username"> | undefined): NewSecurityEvent[] {
  if (!before) return [];
  const { email, password } = draft as ValidUser;
  const common = { userId: id, ...(by && by.id !== id ? { by: by.username } : {}) };
  return [
    ...(password?.setPassword === true && password.value ? [{ ...common, kind: "password-changed" as const }] : []),
    ...((before.entity as unknown as UserEntity).email === email ? [] : [{ ...common, kind: "email-changed" as const }]),
  ];
}

/** Ends all sign-ins of a user, except the caller's own session. */
async function endSignIns(trx: Trx, id: string, callersSession: string | undefined): Promise<void> {
  await unlinkCard(trx, id);
  await trx
    .deleteFrom("sessions")
    .where("user_id", "=", id)
    .where("id", "!=", callersSession ?? "")
    .execute();
}

/** Locks or unlocks users. Locking ends their sessions. */
export async function setLocked(trx: Trx, ids: readonly string[], locked: boolean): Promise<void> {
  if (ids.length === 0) return;
  await sql`update users set locked = ${locked}, version = version + 1 where id = any(${ids}::text[])`.execute(trx);
  if (locked) await sql`delete from sessions where user_id = any(${ids}::text[])`.execute(trx);
}
