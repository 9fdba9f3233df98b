import { type BoardContent, type boardDraft, type BoardSummary, boardLimits } from "@fairway/contract/boards";
import { type ColumnType, type GeneratedAlways, type Insertable, type JSONColumnType, type Kysely, type Selectable, sql } from "kysely";
import type { z } from "zod";
import { nameKey } from "#database/name-key.ts";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { ownedByName } from "#personal/owned-by-name.ts";
import { heldRoles } from "#personal/shared-roles.ts";
import { reachOfBoard, type StoredContent } from "./panels.ts";

declare module "#database/schema.ts" {
  interface Database {
    boards: {
      id: string;
      user_id: string;
      name: string;
      name_key: string;
      description: string;
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

export type Row = Selectable<Database["boards"]> & { owner: string };

/** Everything of a board that its owner sets. */
type BoardValues = Omit<z.output<typeof boardDraft>, "content"> & { readonly content: BoardContent | StoredContent };
type BoardColumns = Omit<Insertable<Database["boards"]>, "id" | "user_id" | "version" | "updated_at">;

/** The columns of a new board, or of what a change sets: those that are undefined stay as they are. */
export function columnsOf(values: BoardValues): BoardColumns;
export function columnsOf(values: Partial<BoardValues>): Partial<BoardColumns>;
export function columnsOf({ name, description, sharedWithRoles, content }: Partial<BoardValues>): Partial<BoardColumns> {
  return {
    name,
    name_key: name === undefined ? undefined : nameKey(name),
    description,
    shared_with_roles: sharedWithRoles,
    content: content === undefined ? undefined : JSON.stringify(content),
  };
}

export const rowsOf = (db: Kysely<Database>) =>
  db.selectFrom("boards").innerJoin("users", "users.id", "boards.user_id").selectAll("boards").select("users.username as owner");

export const revisionsOf = (db: Kysely<Database>, id: string) => db.selectFrom("board_revisions").selectAll().where("board_id", "=", id);

export const isSharedWith = (user: SignedInUser) => sql<boolean>`boards.shared_with_roles && ${heldRoles(user)}::text[]`;

export const ownedBoards = (db: Kysely<Database>) =>
  ownedByName(db, {
    table: "boards",
    noun: "board",
    nouns: "boards",
    nameField: "name",
    isOfDataset: false,
    maxPerUser: boardLimits.perUser,
  });

/** Also for boards that others do not share with the user, and those beyond the reach of a key. */
export const noSuchBoard = () => new Refusal("not-found", "There is no such board.");

export const summaryOf = (user: SignedInUser, row: Row): BoardSummary => {
  const isOwn = row.user_id === user.id;
  return {
    id: row.id,
    name: row.name,
    description: reachOfBoard(user, row.content) === "part" ? "" : row.description,
    owner: row.owner,
    isOwn,
    sharedWithRoles: isOwn ? row.shared_with_roles : row.shared_with_roles.filter((role) => heldRoles(user).includes(role)),
    panels: row.content.panels.length,
    version: row.version,
    createdDateMs: row.created_at.getTime(),
    updatedDateMs: row.updated_at.getTime(),
  };
};
