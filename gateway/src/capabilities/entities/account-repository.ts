import { newAccountName } from "@fairway/contract/accounts";
import { isStorable } from "@fairway/contract/text";
import { sql } from "kysely";
import { z } from "zod";
import { parsed } from "#http/parsed.ts";
import { Refusal } from "#http/refusal.ts";
import type { Identity } from "#identity/identity.ts";
import type { PasswordPolicy } from "#identity/password-policy.ts";
import type { EntityRepository, EntityState, Snapshot, Trx } from "./entity-repository.ts";

/** The role of administrators. */
export const administratorRole = "admin";

export interface AccountParts {
  readonly identity: Pick<Identity, "userChanged" | "everyoneChanged" | "lockedByFailures" | "forgiveFailures">;
  readonly passwordPolicy: PasswordPolicy;
}

/** Common properties of the repositories of users, groups and roles. */
export const accountRepository = (
  type: string,
  noun: string,
  schema: z.ZodType,
): Pick<EntityRepository, "type" | "noun" | "idField" | "isExclusive" | "removesTogether" | "jsonSchema" | "requireConsistent"> => ({
  type,
  noun,
  idField: "id",
  isExclusive: false,
  removesTogether: true,
  jsonSchema: () => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }),
  requireConsistent: requireAdministrator,
});

/** Refuses any state without an unlocked administrator who can sign in. */
async function requireAdministrator(trx: Trx): Promise<void> {
  const { rows } = await sql`
    select from users where not locked and password_hash is not null and id in (
      select user_id from user_roles join roles on roles.id = role_id where roles.name = ${administratorRole}
      union all
      select user_id from user_groups join group_roles using (group_id) join roles on roles.id = role_id
      where roles.name = ${administratorRole}
    ) limit 1`.execute(trx);
  if (rows.length === 0) throw new Refusal("conflict", "This is the last administrator: without them, nobody could administer the portal.");
}

export const sameIds = (one: readonly { id: string }[], other: readonly { id: string }[]): boolean =>
  one.length === other.length && one.every(({ id }) => other.some((candidate) => candidate.id === id));

/** The name of a group or role to save. Refuses invalid names, unless unchanged. */
export const validateName = (sent: string, before: EntityState | undefined): string =>
  sent === before?.key ? sent : parsed(newAccountName, sent, "The name", ["name"]);

/** A table of entities that are referred to by name. */
type NamedTable = "groups" | "roles";

/** Finds the id of a draft, by its id or else by its name. */
export const idByName =
  (table: NamedTable): EntityRepository["idOf"] =>
  async (draft, trx, snapshot) => {
    const [id, name] = [textId(draft["id"]), textId(draft["name"])];
    if (snapshot) return (id === undefined ? snapshot.byKey.get(name ?? "") : snapshot.byId.get(id))?.id;
    const found = await trx
      .selectFrom(table)
      .select("id")
      .where((eb) => eb.or([eb("id", "=", id ?? ""), eb("name", "=", id === undefined ? (name ?? "") : "")]))
      .executeTakeFirst();
    return found?.id;
  };

/** Refuses a name that another row of the table has. */
export async function requireFreeName(
  trx: Trx,
  { table, noun }: { table: NamedTable; noun: string },
  { name, before, snapshot }: { name: string; before: EntityState | undefined; snapshot: Snapshot | undefined },
): Promise<void> {
  const taken = snapshot ? snapshot.byKey.get(name) : await trx.selectFrom(table).select("id").where("name", "=", name).executeTakeFirst();
  if (taken && taken.id !== before?.id) throw new Refusal("name-taken", `There is already a ${noun} '${name}'.`, { path: "name" });
}

/** An id that is a string the database can store; undefined for anything else. */
export const textId = (id: unknown): string | undefined => (typeof id === "string" && isStorable(id) ? id : undefined);

export const storableIds = (ids: readonly string[] | undefined): string[] | undefined => ids?.filter((id) => textId(id) !== undefined);
