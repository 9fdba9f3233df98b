import { randomUUID } from "node:crypto";
import { groupDraft } from "@fairway/contract/accounts";
import { sql } from "kysely";
import { parsed } from "#http/parsed.ts";
import { Refusal } from "#http/refusal.ts";
import { type AccountParts, accountKeeper, checkedName, storableIds, textId } from "./account-keeper.ts";
import type { Named } from "./account-references.ts";
import type { Change, Keeper, State, Trx } from "./keeper.ts";

interface FittingGroup {
  readonly name: string;
  readonly roles: readonly Named[];
}

/** Groups in the tables of the accounts; `realmRoles` are the names of their roles. */
export function groupsKeeper({ identity }: Pick<AccountParts, "identity">): Keeper {
  return {
    ...accountKeeper("groups", "group", groupDraft),
    canDisable: false,
    states,
    idOf: async (draft, trx) => {
      const [id, name] = [textId(draft["id"]), textId(draft["name"])];
      const found = await trx
        .selectFrom("groups")
        .select("id")
        .where((eb) => eb.or([eb("id", "=", id ?? ""), eb("name", "=", id === undefined ? (name ?? "") : "")]))
        .executeTakeFirst();
      return found?.id;
    },
    fit: async (draft, before, trx) => {
      const { name: sent, realmRoles } = parsed(groupDraft, draft, "The group");
      const name = checkedName(sent, before);
      const taken = await trx.selectFrom("groups").select("id").where("name", "=", name).executeTakeFirst();
      if (taken && taken.id !== before?.id) throw new Refusal("name-taken", `There is already a group '${name}'.`, { path: "name" });
      const fitting: FittingGroup = { name, roles: await rolesNamed(trx, realmRoles) };
      return { id: before?.id ?? randomUUID(), key: name, draft: fitting };
    },
    apply: async (changes, trx) => {
      const removed = changes.flatMap(({ kind, id }) => (kind === "remove" ? [id] : []));
      // What would go with them is asked for by `referrers`: they go without their members.
      if (removed.length > 0) {
        await sql`delete from groups where id = any(${removed}::text[]) and not exists (select from user_groups where group_id = groups.id)`.execute(
          trx,
        );
      }
      for (const change of changes) if (change.kind === "save") await save(trx, change);
      return states(
        trx,
        changes.flatMap(({ kind, id }) => (kind === "remove" ? [] : [id])),
      );
    },
    referrers: async (removed, trx) => {
      const { rows } = await sql<{ id: string; username: string }>`
        select group_id as id, username from user_groups join users on users.id = user_id
        where group_id = any(${removed.map(({ id }) => id)}::text[]) order by username_key`.execute(trx);
      return byKey(
        removed,
        rows.map(({ id, username }) => ({ id, name: `the user '${username}'` })),
      );
    },
    changed: () => identity.everyoneChanged(),
  };
}

/** The names of what refers to the removed, by what people call these. */
export const byKey = (removed: readonly State[], found: readonly Named[]): Map<string, string[]> =>
  new Map(removed.map(({ id, key }) => [key, found.filter((one) => one.id === id).map(({ name }) => name)]));

async function states(trx: Trx, ids?: readonly string[]): Promise<State[]> {
  const rows = await trx
    .selectFrom("groups")
    .select(["id", "name", "version"])
    .select(
      sql<string[]>`array(
        select roles.name from group_roles join roles on roles.id = role_id where group_id = groups.id order by roles.name collate "C"
      )`.as("realmRoles"),
    )
    .$if(ids !== undefined, (some) => some.where(sql<boolean>`id = any(${storableIds(ids)}::text[])`))
    .orderBy(sql`name collate "C"`)
    .execute();
  return rows.map(({ id, name, realmRoles, version }) => ({ id, key: name, entity: { id, name, realmRoles, version } }));
}

async function rolesNamed(trx: Trx, names: readonly string[]): Promise<Named[]> {
  const distinct = [...new Set(names)];
  const found = await trx
    .selectFrom("roles")
    .select(["id", "name"])
    .where(sql<boolean>`name = any(${distinct}::text[])`)
    .execute();
  const missing = distinct.find((name) => !found.some((one) => one.name === name));
  if (missing === undefined) return found;
  const path = `realmRoles.${names.indexOf(missing)}`;
  throw new Refusal("invalid-value", `'${path}': there is no role '${missing}'.`, { path });
}

async function save(trx: Trx, { id, draft, before }: Change & { kind: "save" }): Promise<void> {
  const { name, roles } = draft as FittingGroup;
  const isSame =
    before?.entity["name"] === name &&
    JSON.stringify(before.entity["realmRoles"]) === JSON.stringify(roles.map((role) => role.name).toSorted());
  if (isSame) return;
  await trx
    .insertInto("groups")
    .values({ id, name })
    .onConflict((conflict) => conflict.column("id").doUpdateSet((eb) => ({ name, version: eb("groups.version", "+", 1) })))
    .execute();
  await trx.deleteFrom("group_roles").where("group_id", "=", id).execute();
  if (roles.length > 0)
    await trx
      .insertInto("group_roles")
      .values(roles.map((role) => ({ group_id: id, role_id: role.id })))
      .execute();
}
