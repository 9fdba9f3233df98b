import type { SavedSearch } from "@fairway/contract/saved-searches";
import type { OwnOrShared } from "@fairway/contract/sharing";
import { type ColumnType, type Generated, type Kysely, type Selectable, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { type NamedShare, namedShares, shownShares } from "#sharing/named-shares.ts";
import { visibleRoles } from "#sharing/shared-roles.ts";
import { reachesReader, savedSearchTables, sharesIn } from "#sharing/shared-tables.ts";

declare module "#database/schema.ts" {
  interface Database {
    saved_searches: {
      id: string;
      /** Null once the account is gone. */
      user_id: string | null;
      /** The username of a deleted account. */
      former_owner: string | null;
      category: string;
      dataset_id: string;
      name: string;
      name_key: string;
      description: string;
      query: string;
      /** The id of whoever has written the query, if that is not the owner. */
      query_by: string | null;
      /** Roles that have a share; everyone is `*`. */
      shared_with_roles: string[];
      version: Generated<number>;
      created_at: ColumnType<Date, never, never>;
    };
  }
}

const maxShared = 1_000;

export type Row = Selectable<Database["saved_searches"]> & { owner: string | null; isLocked: boolean | null; shares: NamedShare[] };

const selectRows = (db: Kysely<Database>) =>
  db
    .selectFrom("saved_searches")
    .leftJoin("users", "users.id", "saved_searches.user_id")
    .selectAll("saved_searches")
    .select(["users.username as owner", "users.locked as isLocked"])
    .select(namedShares(sharesIn(savedSearchTables)).as("shares"));

export const rowOf = (db: Kysely<Database>, id: string): Promise<Row | undefined> =>
  selectRows(db).where("saved_searches.id", "=", id).executeTakeFirst();

/** By name. */
export const rowsOwnedBy = (db: Kysely<Database>, userId: string): Promise<Row[]> =>
  selectRows(db).where("user_id", "=", userId).orderBy("name_key").orderBy("saved_searches.id").execute();

/** Those of others that are shared with the reader, by name. */
export const rowsSharedWith = (db: Kysely<Database>, reader: SignedInUser): Promise<Row[]> =>
  selectRows(db)
    .where(sql<boolean>`user_id is distinct from ${reader.id}`)
    .where(reachesReader(savedSearchTables, reader))
    .orderBy("name_key")
    .orderBy("saved_searches.id")
    .limit(maxShared)
    .execute();

export const savedSearchOf = (user: SignedInUser, row: Row, can: OwnOrShared): SavedSearch => ({
  id: row.id,
  datasetCategory: row.category,
  datasetId: row.dataset_id,
  queryName: row.name,
  description: row.description,
  query: row.query,
  queryJson: row.query,
  sharedWithRoles: visibleRoles(user, row.shared_with_roles, can),
  can,
  // Names of people are about no dataset, to which a key may be limited.
  shares: user.reach === undefined ? shownShares(row.shares, can, user) : [],
  version: row.version,
  createdDateMs: row.created_at.getTime(),
});
