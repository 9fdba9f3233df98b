import type { UserDraft } from "@fairway/contract/accounts";
import { sql } from "kysely";
import type { SignedInUser } from "#http/handlers.ts";
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
  /** Only where one is set up. */
  readonly secondFactor?: true;
  readonly version: number;
  readonly enabled: boolean;
}

/** A draft whose groups and roles are found. */
export interface ValidUser extends Omit<UserDraft, "groups" | "roles"> {
  readonly groups: readonly Named[];
  readonly roles: readonly Named[];
}

/** The lock that a save asks for; undefined where it says what is there already. */
export function wishedLock({ draft, enabled, before }: Save): boolean | undefined {
  const { disabled: wished, byFailures } = (draft as ValidUser).lockStatus ?? {};
  const now = before ? before.entity.enabled === false : false;
  // A stranger's failures locked the user when this was read, and that ends by itself: nobody wishes it to last.
  if (byFailures === true) return now && (enabled || wished === false) ? false : undefined;
  if (wished !== undefined && wished !== now) return wished;
  return enabled === now ? !enabled : undefined;
}

/** What a save writes of a user's row. */
interface UserRow {
  readonly id: string;
  readonly username: string;
  readonly email: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** Null: it stays. */
  readonly passwordHash: string | null;
  readonly requirePasswordChange: boolean;
  readonly groups: readonly Named[];
  readonly roles: readonly Named[];
}

interface Saving {
  readonly by: SignedInUser | undefined;
  readonly prepared: Prepared | undefined;
}

/** Writes any number of users with a few statements. What is saved as it was keeps its version. */
export async function saveUsers(trx: Trx, saves: readonly Save[], { by, prepared }: Saving): Promise<void> {
  const [made, changed]: [UserRow[], UserRow[]] = [[], []];
  for (const save of saves) {
    const row = await rowOf(save, prepared);
    if (!save.before) made.push(row);
    else if (!isSame(row, save.before.entity as unknown as UserEntity)) changed.push(row);
  }
  for (const some of inParts(made)) {
    await insertRows(trx, some);
    await link(trx, some);
  }
  for (const some of inParts(changed)) {
    await updateRows(trx, some);
    await link(trx, some);
  }
  for (const { id, passwordHash } of [...made, ...changed]) {
    // Whoever knows the old password is out, and whoever linked a card by it.
    if (passwordHash !== null) await endSignIns(trx, id, by?.sessionId);
  }
  await noteSecurityEvents(
    trx,
    saves.flatMap((save) => signInChangesOf(save, by)),
  );
  for (const lock of [true, false]) {
    await setLocked(
      trx,
      saves.flatMap((save) => (wishedLock(save) === lock ? [save.id] : [])),
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

/** Rows of one statement: its values are written as text, for which everybody else waits. */
const rowsAtOnce = 500;

function* inParts(rows: readonly UserRow[]): Generator<readonly UserRow[]> {
  for (let from = 0; from < rows.length; from += rowsAtOnce) yield rows.slice(from, from + rowsAtOnce);
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
    const pairs = rows.flatMap((row) => row[field].map((one) => ({ user: row.id, other: one.id })));
    return [pairs.map(({ user }) => user), pairs.map(({ other }) => other)];
  };
  const [inGroups, ofGroups] = pairsOf("groups");
  await sql`insert into user_groups (user_id, group_id) select * from unnest(${inGroups}::text[], ${ofGroups}::text[])`.execute(trx);
  const [holders, held] = pairsOf("roles");
  await sql`insert into user_roles (user_id, role_id) select * from unnest(${holders}::text[], ${held}::text[])`.execute(trx);
}

/** What a save of a user who is there already changes of how they sign in. */
function signInChangesOf({ id, draft, before }: Save, by: Pick<SignedInUser, "id" | "username"> | undefined): NewSecurityEvent[] {
  if (!before) return [];
  const { email, password } = draft as ValidUser;
  const about = { userId: id, ...(by && by.id !== id ? { by: by.username } : {}) };
  return [
    ...(password?.setPassword === true && password.value ? [{ ...about, kind: "password-changed" as const }] : []),
    ...((before.entity as unknown as UserEntity).email === email ? [] : [{ ...about, kind: "email-changed" as const }]),
  ];
}

/** The session of who saves outlives a new password of its own user. */
async function endSignIns(trx: Trx, id: string, callersSession: string | undefined): Promise<void> {
  await unlinkCard(trx, id);
  await trx
    .deleteFrom("sessions")
    .where("user_id", "=", id)
    .where("id", "!=", callersSession ?? "")
    .execute();
}

/** Locked users' sessions end. */
export async function setLocked(trx: Trx, ids: readonly string[], locked: boolean): Promise<void> {
  if (ids.length === 0) return;
  await sql`update users set locked = ${locked}, version = version + 1 where id = any(${ids}::text[])`.execute(trx);
  if (locked) await sql`delete from sessions where user_id = any(${ids}::text[])`.execute(trx);
}
