import { randomUUID } from "node:crypto";
import { groupDraft } from "@fairway/contract/accounts";
import { sql } from "kysely";
import { parsed } from "#http/parsed.ts";
import { Refusal } from "#http/refusal.ts";
import { type AccountParts, accountRepository, validateName, idByName, requireFreeName, storableIds } from "./account-repository.ts";
import { type Named, allNamed } from "./account-references.ts";
import { type Change, type EntityRepository, type EntityState, type Trx, remainingIds, removedIds } from "./entity-repository.ts";

interface ValidGroup {
  readonly name: string;
  readonly roles: readonly Named[];
}

/** Groups, in the tables of the accounts; `realmRoles` are the names of their roles. */
export function groupsRepository({ identity }: Pick<AccountParts, "identity">): EntityRepository {
  return {
    ...accountRepository("groups", "group", groupDraft),
    canDisable: false,
    states,
    idOf: idByName("groups"),
    validate: async (draft, before, trx, snapshot) => {
      const { name: sent, realmRoles } = parsed(groupDraft, draft, "The group");
      const name = validateName(sent, before);
      await requireFreeName(trx, { table: "groups", noun: "group" }, { name, before, snapshot });
      const valid: ValidGroup = { name, roles: await rolesNamed(trx, realmRoles) };
      return { id: before?.id ?? randomUUID(), key: name, draft: valid };
    },
    apply: async (changes, trx) => {
      const removed = removedIds(changes);
      // Groups with members are kept, so that `referrers` finds the members and refuses.
      if (removed.length > 0) {
        await sql`delete from groups where id = any(${removed}::text[]) and not exists (select from user_groups where group_id = groups.id)`.execute(
          trx,
        );
      }
      await saveAll(trx, changes);
      return states(trx, remainingIds(changes));
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

/** The names of referrers, grouped by the keys of the removed entities. */
export const byKey = (removed: readonly EntityState[], found: readonly Named[]): Map<string, string[]> =>
  new Map(removed.map(({ id, key }) => [key, found.filter((referrer) => referrer.id === id).map(({ name }) => name)]));

async function states(trx: Trx, ids?: readonly string[]): Promise<EntityState[]> {
  const rows = await trx
    .selectFrom("groups")
    .select(["id", "name", "version"])
    .select(
      sql<string[]>`array(
        select roles.name from group_roles join roles on roles.id = role_id where group_id = groups.id order by roles.name collate "C"
      )`.as("realmRoles"),
    )
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`id = any(${storableIds(ids)}::text[])`))
    .orderBy(sql`name collate "C"`)
    .execute();
  return rows.map(({ id, name, realmRoles, version }) => ({ id, key: name, entity: { id, name, realmRoles, version } }));
}

async function rolesNamed(trx: Trx, names: readonly string[]): Promise<Named[]> {
  const { byName } = await allNamed(trx, "roles");
  return [...new Set(names)].map((name) => {
    const role = byName.get(name);
    if (role) return role;
    const path = `realmRoles.${names.indexOf(name)}`;
    throw new Refusal("invalid-value", `'${path}': there is no role '${name}'.`, { path });
  });
}

async function saveAll(trx: Trx, changes: readonly Change[]): Promise<void> {
  const saves = changes.flatMap((change) => {
    if (change.kind !== "save") return [];
    const { name, roles } = change.draft as ValidGroup;
    const isSame =
      change.before?.entity["name"] === name &&
      JSON.stringify(change.before.entity["realmRoles"]) === JSON.stringify(roles.map((role) => role.name).toSorted());
    return isSame ? [] : [{ id: change.id, name, roles }];
  });
  if (saves.length === 0) return;
  const ids = saves.map(({ id }) => id);
  await sql`
    insert into groups (id, name) select * from unnest(${ids}::text[], ${saves.map(({ name }) => name)}::text[])
    on conflict (id) do update set name = excluded.name, version = groups.version + 1`.execute(trx);
  await sql`delete from group_roles where group_id = any(${ids}::text[])`.execute(trx);
  const links = saves.flatMap(({ id, roles }) => roles.map((role) => ({ group: id, role: role.id })));
  await sql`
    insert into group_roles (group_id, role_id)
    select * from unnest(${links.map(({ group }) => group)}::text[], ${links.map(({ role }) => role)}::text[])`.execute(trx);
}
