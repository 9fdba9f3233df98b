import { everyone } from "@fairway/contract/access";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import type { StoredShare } from "./access.ts";
import { heldRoles } from "./shared-roles.ts";

export interface ShareColumns {
  kind: StoredShare["kind"];
  target: string;
  can: StoredShare["can"];
}

declare module "#database/schema.ts" {
  interface Database {
    board_shares: ShareColumns & { board_id: string };
    saved_search_shares: ShareColumns & { saved_search_id: string };
  }
}

/** A table of things that people share, and that of their shares. */
export interface SharedTables {
  readonly things: "boards" | "saved_searches";
  readonly shares: "board_shares" | "saved_search_shares";
  /** Names the thing in the table of shares. */
  readonly key: "board_id" | "saved_search_id";
}

export const boardTables: SharedTables = { things: "boards", shares: "board_shares", key: "board_id" };
export const savedSearchTables: SharedTables = { things: "saved_searches", shares: "saved_search_shares", key: "saved_search_id" };
export const sharedTables: readonly SharedTables[] = [boardTables, savedSearchTables];

/**
 * The shares of each row, with `kind`, `target` and `can`. Whether a role has one is said by `shared_with_roles` alone, which the release
 * before reads and writes; the table of shares says what it can do. Decision 1308.
 */
export const sharesIn = ({ things, shares, key }: SharedTables): RawBuilder<unknown> => {
  const [table, thing, id] = [sql.table(shares), sql.ref(key), sql.ref(`${things}.id`)];
  return sql`
    select kind, target, can from ${table} where ${thing} = ${id} and kind in ('user', 'group')
    union all
    select one.kind, one.target, coalesce(stored.can, 'view')
    from unnest(${sql.ref(`${things}.shared_with_roles`)}) as held
    cross join lateral (
      select case held when ${everyone} then 'everyone' else 'role' end as kind, case held when ${everyone} then '' else held end as target
    ) as one
    left join ${table} stored on stored.${thing} = ${id} and stored.kind = one.kind and stored.target = one.target`;
};

/** Whether a row is shared with a reader. */
export const reachesReader = ({ things, shares, key }: SharedTables, reader: SignedInUser): RawBuilder<boolean> => sql<boolean>`(
  ${sql.ref(`${things}.shared_with_roles`)} && ${heldRoles(reader)}::text[]
  or ${sql.ref(`${things}.id`)} in (
    select ${sql.ref(key)} from ${sql.table(shares)}
    where (kind = 'user' and target = ${reader.id}) or (kind = 'group' and target = any(${[...reader.groups]}::text[]))))`;

/** Replaces the shares of a thing. */
export async function storeShares(
  trx: Kysely<Database>,
  { things, shares: table, key }: SharedTables,
  id: string,
  shares: readonly StoredShare[],
): Promise<void> {
  await sql`update ${sql.table(things)} set shared_with_roles = ${rolesOf(shares)}::text[] where id = ${id}`.execute(trx);
  await sql`delete from ${sql.table(table)} where ${sql.ref(key)} = ${id}`.execute(trx);
  if (shares.length === 0) return;
  const valuesOf = (field: "kind" | "target" | "can") => shares.map((share) => share[field]);
  await sql`
    insert into ${sql.table(table)} (${sql.ref(key)}, kind, target, can)
    select ${id}, * from unnest(${valuesOf("kind")}::text[], ${valuesOf("target")}::text[], ${valuesOf("can")}::text[])`.execute(trx);
}

/** Roles, and `*` for everyone. */
export const rolesOf = (shares: readonly StoredShare[]): string[] =>
  shares.flatMap(({ kind, target }) => (kind === "role" ? [target] : kind === "everyone" ? [everyone] : []));

/** The shares with other roles: those that stay can do what they could, new ones view, and people and groups stay. */
export function withRoles(before: readonly StoredShare[], roles: readonly string[]): StoredShare[] {
  const people = before.filter(({ kind }) => kind === "user" || kind === "group");
  const named = roles.map((role): StoredShare => {
    const share = role === everyone ? { kind: "everyone" as const, target: "" } : { kind: "role" as const, target: role };
    const known = before.find(({ kind, target }) => kind === share.kind && target === share.target);
    return { ...share, can: known?.can ?? "view" };
  });
  return [...people, ...named];
}
