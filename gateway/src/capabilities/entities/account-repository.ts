import { newAccountName } from "@fairway/contract/accounts";
import { isStorable } from "@fairway/contract/text";
import { sql } from "kysely";
import { z } from "zod";
import { parsed } from "#http/parsed.ts";
import { Refusal } from "#http/refusal.ts";
import type { Identity } from "#identity/identity.ts";
import type { PasswordPolicy } from "#identity/password-policy.ts";
import type { EntityRepository, EntityState, Known, Trx } from "./entity-repository.ts";

/** The role that opens the administration. */
export const administratorRole = "admin";

export interface AccountParts {
  readonly identity: Pick<Identity, "userChanged" | "everyoneChanged" | "lockedByFailures" | "forgiveFailures">;
  readonly passwordPolicy: PasswordPolicy;
}

/** What repositories of accounts have in common. */
export const accountRepository = (
  type: string,
  noun: string,
  schema: z.ZodType,
): Pick<EntityRepository, "type" | "noun" | "idField" | "isExclusive" | "removesTogether" | "jsonSchema" | "requireWhole"> => ({
  type,
  noun,
  idField: "id",
  isExclusive: false,
  removesTogether: true,
  jsonSchema: () => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }),
  requireWhole: requireAdministrator,
});

/** Somebody has to be left who can sign in and administer: whatever path led there. */
async function requireAdministrator(trx: Trx): Promise<void> {
  const { rows } = await sql`
    select from users where not locked and password_hash is not null and id in (
      select user_id from user_roles join roles on roles.id = role_id where roles.name = ${administratorRole}
      union all
      select user_id from user_groups join group_roles using (group_id) join roles on roles.id = role_id
      where roles.name = ${administratorRole}
    ) limit 1`.execute(trx);
  if (rows.length === 0) throw new Refusal("conflict", "The last administrator has to stay: nobody else could administer the portal.");
}

export const sameIds = (one: readonly { id: string }[], other: readonly { id: string }[]): boolean =>
  one.length === other.length && one.every(({ id }) => other.some((two) => two.id === id));

/** A group's or a role's name as it is saved. Refuses a new name that must not be one. */
export const checkedName = (sent: string, before: EntityState | undefined): string =>
  sent === before?.key ? sent : parsed(newAccountName, sent, "The name", ["name"]);

/** A table of things that people know by their names. */
type NamedTable = "groups" | "roles";

/** The id that a draft names, by the id itself or else by the name. */
export const idByName =
  (table: NamedTable): EntityRepository["idOf"] =>
  async (draft, trx, known) => {
    const [id, name] = [textId(draft["id"]), textId(draft["name"])];
    if (known) return (id === undefined ? known.byKey.get(name ?? "") : known.byId.get(id))?.id;
    const found = await trx
      .selectFrom(table)
      .select("id")
      .where((eb) => eb.or([eb("id", "=", id ?? ""), eb("name", "=", id === undefined ? (name ?? "") : "")]))
      .executeTakeFirst();
    return found?.id;
  };

/** Refuses a name that another one of the table has. */
export async function requireFreeName(
  trx: Trx,
  { table, noun }: { table: NamedTable; noun: string },
  { name, before, known }: { name: string; before: EntityState | undefined; known: Known | undefined },
): Promise<void> {
  const taken = known ? known.byKey.get(name) : await trx.selectFrom(table).select("id").where("name", "=", name).executeTakeFirst();
  if (taken && taken.id !== before?.id) throw new Refusal("name-taken", `There is already a ${noun} '${name}'.`, { path: "name" });
}

/** A text of an id that the database can hold; undefined for anything else. */
export const textId = (id: unknown): string | undefined => (typeof id === "string" && isStorable(id) ? id : undefined);

export const storableIds = (ids: readonly string[] | undefined): string[] | undefined => ids?.filter((id) => textId(id) !== undefined);
