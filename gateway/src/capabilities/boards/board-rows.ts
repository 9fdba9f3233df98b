import { type BoardContent, type boardDraft, type BoardSummary, boardLimits } from "@fairway/contract/boards";
import { type ColumnType, type GeneratedAlways, type Insertable, type JSONColumnType, type Kysely, type Selectable } from "kysely";
import type { OwnOrShared } from "@fairway/contract/sharing";
import type { z } from "zod";
import { nameKey } from "#database/name-key.ts";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { ownedByName } from "#personal/owned-by-name.ts";
import { mayDo } from "#sharing/access.ts";
import { type NamedShare, namedShares, ownerStateOf, shownShares } from "#sharing/named-shares.ts";
import { visibleRoles } from "#sharing/shared-roles.ts";
import { boardTables, reachesReader, sharesIn } from "#sharing/shared-tables.ts";
import { reachOfBoard, type StoredContent } from "./panels.ts";

declare module "#database/schema.ts" {
  interface Database {
    boards: {
      id: string;
      /** Null once the account is gone. */
      user_id: string | null;
      /** The username of a deleted account. */
      former_owner: string | null;
      name: string;
      name_key: string;
      description: string;
      /** Roles that have a share; everyone is `*`. */
      shared_with_roles: string[];
      content: JSONColumnType<StoredContent>;
      version: number;
      /** Of the content. */
      bytes: GeneratedAlways<number>;
      created_at: ColumnType<Date, never, never>;
      updated_at: Date;
    };
    board_revisions: {
      board_id: string;
      version: number;
      name: string;
      content: JSONColumnType<StoredContent>;
      bytes: GeneratedAlways<number>;
      saved_at: Date;
    };
  }
}

const maxListed = 1_000;

export type Row = Selectable<Database["boards"]> & { owner: string | null; isLocked: boolean | null; shares: NamedShare[] };

/** Everything of a board that is saved, but its shares. */
type BoardValues = Omit<z.output<typeof boardDraft>, "content" | "shares" | "sharedWithRoles"> & {
  readonly content: BoardContent | StoredContent;
};
type BoardColumns = Omit<
  Insertable<Database["boards"]>,
  "id" | "user_id" | "former_owner" | "shared_with_roles" | "version" | "updated_at"
>;

/** The columns of a new board, or of what a change sets: those that are undefined stay as they are. */
export function columnsOf(values: BoardValues): BoardColumns;
export function columnsOf(values: Partial<BoardValues>): Partial<BoardColumns>;
export function columnsOf({ name, description, content }: Partial<BoardValues>): Partial<BoardColumns> {
  return {
    name,
    name_key: name === undefined ? undefined : nameKey(name),
    description,
    content: content === undefined ? undefined : JSON.stringify(content),
  };
}

const selectRows = (db: Kysely<Database>) =>
  db
    .selectFrom("boards")
    .leftJoin("users", "users.id", "boards.user_id")
    .selectAll("boards")
    .select(["users.username as owner", "users.locked as isLocked"])
    .select(namedShares(sharesIn(boardTables)).as("shares"));

export const rowOf = (db: Kysely<Database>, id: string): Promise<Row | undefined> =>
  selectRows(db).where("boards.id", "=", id).executeTakeFirst();

/** Those of the reader and those that are shared with the reader, by name. */
export const rowsFor = (db: Kysely<Database>, reader: SignedInUser): Promise<Row[]> =>
  selectRows(db)
    .where((where) => where.or([where("boards.user_id", "=", reader.id), reachesReader(boardTables, reader)]))
    .orderBy("boards.name_key")
    .orderBy("boards.id")
    .limit(maxListed)
    .execute();

/** The rights of a reader; undefined if the board does not exist for the reader, or is beyond the reach of a key. */
export const rightsOn = (row: Row, reader: SignedInUser): OwnOrShared | undefined =>
  reachOfBoard(reader, row.content) === "none" ? undefined : mayDo({ ownerId: row.user_id, shares: row.shares }, reader);

export const revisionsOf = (db: Kysely<Database>, id: string) => db.selectFrom("board_revisions").selectAll().where("board_id", "=", id);

export const ownedBoards = (db: Kysely<Database>) =>
  ownedByName(db, {
    table: "boards",
    noun: "board",
    nouns: "boards",
    nameField: "name",
    isOfDataset: false,
    maxPerUser: boardLimits.perUser,
  });

export const summaryOf = (user: SignedInUser, row: Row, can: OwnOrShared): BoardSummary => ({
  id: row.id,
  name: row.name,
  description: reachOfBoard(user, row.content) === "part" ? "" : row.description,
  owner: row.owner ?? "",
  ownerState: ownerStateOf({ ownerId: row.user_id, isLocked: row.isLocked }),
  isOwn: can === "own",
  can,
  // Names of people are about no dataset, to which a key may be limited.
  shares: user.reach === undefined ? shownShares(row.shares, can, user) : [],
  sharedWithRoles: visibleRoles(user, row.shared_with_roles, can),
  panels: row.content.panels.length,
  version: row.version,
  createdDateMs: row.created_at.getTime(),
  updatedDateMs: row.updated_at.getTime(),
});
