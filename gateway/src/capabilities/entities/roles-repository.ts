import { randomUUID } from "node:crypto";
import { plural } from "@fairway/contract/counts";
import { roleDraft } from "@fairway/contract/accounts";
import { sql } from "kysely";
import { internalDatasets } from "#entities/entity-types.ts";
import { parsed } from "#http/parsed.ts";
import { Refusal } from "#http/refusal.ts";
import { sharedTables } from "#sharing/shared-tables.ts";
import {
  type AccountParts,
  accountRepository,
  administratorRole,
  validateName,
  idByName,
  requireFreeName,
  storableIds,
} from "./account-repository.ts";
import { byKey } from "./groups-repository.ts";
import { type EntityRepository, type EntityState, type Trx, remainingIds, removedIds } from "./entity-repository.ts";

/** Roles, in the tables of the accounts. A role that entities refer to by name can be neither renamed nor removed. */
export function rolesRepository({ identity }: Pick<AccountParts, "identity">): EntityRepository {
  return {
    ...accountRepository("roles", "role", roleDraft),
    canDisable: false,
    states,
    idOf: idByName("roles"),
    validate: async (draft, before, trx, snapshot) => {
      const { name: sent } = parsed(roleDraft, draft, "The role");
      const name = validateName(sent, before);
      if (name === "*") throw new Refusal("invalid-value", "'name': '*' stands for every signed-in user.", { path: "name" });
      await requireFreeName(trx, { table: "roles", noun: "role" }, { name, before, snapshot });
      if (before && before.key !== name) await requireRenamable(trx, before);
      return { id: before?.id ?? randomUUID(), key: name, draft: { name } };
    },
    apply: async (changes, trx) => {
      for (const { kind, before } of changes) if (kind === "remove") requireOrdinary(before);
      const removed = removedIds(changes);
      if (removed.length > 0) {
        await sql`
          delete from roles where id = any(${removed}::text[])
            and not exists (select from user_roles where role_id = roles.id)
            and not exists (select from group_roles where role_id = roles.id)`.execute(trx);
      }
      const saves = changes.filter((change) => change.kind === "save" && change.before?.key !== change.key);
      const [ids, names] = [saves.map(({ id }) => id), saves.map((change) => (change.kind === "save" ? change.key : ""))];
      await sql`
        insert into roles (id, name) select * from unnest(${ids}::text[], ${names}::text[])
        on conflict (id) do update set name = excluded.name, version = roles.version + 1`.execute(trx);
      for (const { before, ...change } of saves) {
        if (before && change.kind === "save") await renameInLists(trx, before.key, change.key);
      }
      return states(trx, remainingIds(changes));
    },
    referrers: async (removed, trx) => {
      const { rows } = await sql<{ id: string; name: string }>`
        select role_id as id, format('the user ''%s''', username) as name from user_roles join users on users.id = user_id
        where role_id = any(${removed.map(({ id }) => id)}::text[])
        union all
        select role_id, format('the group ''%s''', groups.name) from group_roles join groups on groups.id = group_id
        where role_id = any(${removed.map(({ id }) => id)}::text[])
        order by name`.execute(trx);
      const named = await Promise.all(removed.map(async ({ id, key }) => (await entitiesNaming(trx, key)).map((name) => ({ id, name }))));
      const shared = await Promise.all(removed.map(async ({ id, key }) => (await sharesWith(trx, key)).map((name) => ({ id, name }))));
      return byKey(removed, [...rows, ...named.flat(), ...shared.flat()]);
    },
    changed: () => identity.everyoneChanged(),
  };
}

async function states(trx: Trx, ids?: readonly string[]): Promise<EntityState[]> {
  const rows = await trx
    .selectFrom("roles")
    .select(["id", "name", "version"])
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`id = any(${storableIds(ids)}::text[])`))
    .orderBy(sql`name collate "C"`)
    .execute();
  return rows.map(({ id, name, version }) => ({ id, key: name, entity: { id, name, version } }));
}

function requireOrdinary({ key }: EntityState): void {
  if (key !== administratorRole) return;
  throw new Refusal("conflict", `The role '${administratorRole}' gives access to administration: it cannot be renamed or deleted.`);
}

/** Users and groups refer to roles by id. Entities refer to them by name, and would silently lose the role. */
async function requireRenamable(trx: Trx, role: EntityState): Promise<void> {
  requireOrdinary(role);
  const names = await entitiesNaming(trx, role.key);
  if (names.length === 0) return;
  throw new Refusal("in-use", `'${role.key}' cannot be renamed while it is used by ${names.slice(0, 5).join(", ")}.`, { path: "name" });
}

/** Tables of things that people share with roles by name. */
const sharedKinds = [
  { table: "saved_searches", one: "saved search", many: "saved searches" },
  { table: "boards", one: "board", many: "boards" },
] as const;

/** Renames a role in what is shared with it, and in the keys that act with it. */
async function renameInLists(trx: Trx, before: string, name: string): Promise<void> {
  const lists = [...sharedKinds.map(({ table }) => ({ table, column: "shared_with_roles" })), { table: "api_keys", column: "roles" }];
  for (const { table, column } of lists) {
    const roles = sql.ref(column);
    await sql`
      update ${sql.table(table)}
      set ${roles} = array_append(array_remove(array_remove(${roles}, ${before}), ${name}), ${name})
      where ${roles} @> array[${before}]::text[]`.execute(trx);
  }
  for (const shares of ["own_dataset_shares", ...sharedTables.map((tables) => tables.shares)]) {
    // Left over from a deleted role with this name.
    await sql`delete from ${sql.table(shares)} where kind = 'role' and target = ${name}`.execute(trx);
    await sql`update ${sql.table(shares)} set target = ${name} where kind = 'role' and target = ${before}`.execute(trx);
  }
}

/** How much each user shares with a role; the content is private. */
async function sharesWith(trx: Trx, role: string): Promise<string[]> {
  const shares: string[] = [];
  for (const { table, one, many } of sharedKinds) {
    const { rows } = await sql<{ username: string; count: number }>`
      select coalesce(username, former_owner, '') as username, count(*)::int as count
      from ${sql.table(table)} left join users on users.id = user_id
      where shared_with_roles @> array[${role}]::text[]
      group by 1 order by 1 limit 100`.execute(trx);
    shares.push(...rows.map(({ username, count }) => `${count} ${plural(count, one, many)} that '${username}' shares with it`));
  }
  const { rows: own } = await sql<{ username: string; count: number }>`
    select owner_name as username, count(*)::int as count from own_dataset_shares share
    join own_datasets on own_datasets.id = share.dataset_id
    where share.kind = 'role' and share.target = ${role} group by owner_name order by owner_name limit 100`.execute(trx);
  shares.push(...own.map(({ username, count }) => `${count} ${plural(count, "dataset")} that '${username}' shares with it`));
  return shares;
}

/** The entities that name a role, in any of the fields for roles or in access rules. */
async function entitiesNaming(trx: Trx, role: string): Promise<string[]> {
  const { rows } = await sql<{ type: string; id: string }>`
    select type, id from entities
    where body -> 'roles' @> ${JSON.stringify([role])}::jsonb
      or body -> 'roles' @> ${JSON.stringify([{ roleName: role }])}::jsonb
      or body -> 'allowedRoles' @> ${JSON.stringify([{ roleName: role }])}::jsonb
      or type = ${internalDatasets.name}
        and jsonb_path_exists(body -> 'access', '$.**.roles[*] ? (@ == $role)', jsonb_build_object('role', ${role}::text))
    order by type, id collate "C" limit 100`.execute(trx);
  return rows.map(({ type, id }) => `'${id}' of ${type}`);
}
