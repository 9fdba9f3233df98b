import type { FlowComment, FlowCommentAnchor } from "@fairway/contract/flow-requests";
import { flowLimits } from "@fairway/contract/flows";
import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import type { Database } from "#database/schema.ts";
import { Refusal } from "#http/refusal.ts";
import type { Caller } from "./membership.ts";

type Row = Selectable<Database["flow_comments"]>;

export interface NewComment {
  readonly text: string;
  readonly mentions: readonly string[];
  readonly anchor?: FlowCommentAnchor | null;
}

export const toComment = (row: Row, user: Pick<Caller, "id">): FlowComment => ({
  id: row.id,
  commenterUsername: row.commenter_username,
  createdDateMs: row.created_at.getTime(),
  text: row.text,
  editedDateMs: row.edited_at?.getTime() ?? null,
  isDeleted: row.deleted_at !== null,
  isOwn: row.commenter_id === user.id,
  mentions: row.mentions,
  anchor: row.anchor,
});

export const commentsOf = (db: Kysely<Database>, requestId: number): Promise<Row[]> =>
  db.selectFrom("flow_comments").selectAll().where("request_id", "=", requestId).orderBy("id").execute();

/** Refuses with `no-room` what would exceed a limit of the locked request. */
async function requireRoom(trx: Transaction<Database>, requestId: number, added: { comments: number; characters: number }): Promise<void> {
  const { comments, characters } = await trx
    .selectFrom("flow_comments")
    .select([
      sql<number>`count(*)::int`.as("comments"),
      sql<number>`coalesce(sum(length(text) + coalesce(length(anchor::text), 0)), 0)::int`.as("characters"),
    ])
    .where("request_id", "=", requestId)
    .executeTakeFirstOrThrow();
  const { commentsPerRequest, commentsCharacters } = flowLimits;
  if (comments + added.comments > commentsPerRequest) {
    throw new Refusal("no-room", `The request has ${comments.toLocaleString("en-US")} comments, as many as there can be.`);
  }
  if (characters + added.characters > commentsCharacters) {
    throw new Refusal(
      "no-room",
      `The comments of a request, with the lines they are about, may have ${commentsCharacters.toLocaleString("en-US")} characters in total.`,
    );
  }
}

/** Adds a comment to a locked request. Refuses with `no-room`. */
export async function insertComment(trx: Transaction<Database>, requestId: number, user: Caller, comment: NewComment): Promise<Row> {
  const anchor = comment.anchor ? JSON.stringify(comment.anchor) : null;
  await requireRoom(trx, requestId, { comments: 1, characters: comment.text.length + (anchor?.length ?? 0) });
  await trx
    .updateTable("flow_requests")
    .set(({ eb }) => ({ comments: eb("comments", "+", 1) }))
    .where("id", "=", requestId)
    .execute();
  return trx
    .insertInto("flow_comments")
    .values({
      request_id: requestId,
      commenter_id: user.id,
      commenter_username: user.username,
      text: comment.text,
      mentions: JSON.stringify(comment.mentions),
      anchor,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Refuses with `not-found`, and with `forbidden` a comment of another user. */
async function lockOwnComment(trx: Transaction<Database>, requestId: number, commentId: number, user: Caller): Promise<Row> {
  const row = await trx
    .selectFrom("flow_comments")
    .selectAll()
    .where("id", "=", commentId)
    .where("request_id", "=", requestId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new Refusal("not-found", "There is no such comment on this request.");
  if (row.commenter_id !== user.id) throw new Refusal("forbidden", "Only the author of a comment can change or delete it.");
  return row;
}

/** Changes the text of a comment on a locked request. */
export async function editComment(
  trx: Transaction<Database>,
  ids: { requestId: number; commentId: number },
  user: Caller,
  { text, mentions }: Pick<NewComment, "text" | "mentions">,
): Promise<{ before: Row; now: Row }> {
  const before = await lockOwnComment(trx, ids.requestId, ids.commentId, user);
  if (before.deleted_at !== null) throw new Refusal("conflict", "The comment has been deleted.", { current: toComment(before, user) });
  if (before.text === text) return { before, now: before };
  await requireRoom(trx, ids.requestId, { comments: 0, characters: text.length - before.text.length });
  const now = await trx
    .updateTable("flow_comments")
    .set({ text, mentions: JSON.stringify(mentions), edited_at: sql<Date>`clock_timestamp()` })
    .where("id", "=", ids.commentId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { before, now };
}

/** Removes the text of a comment on a locked request. */
export async function deleteComment(
  trx: Transaction<Database>,
  { requestId, commentId }: { requestId: number; commentId: number },
  user: Caller,
): Promise<Row> {
  const before = await lockOwnComment(trx, requestId, commentId, user);
  if (before.deleted_at !== null) return before;
  await trx
    .updateTable("flow_requests")
    .set(({ eb }) => ({ comments: eb("comments", "-", 1) }))
    .where("id", "=", requestId)
    .execute();
  return trx
    .updateTable("flow_comments")
    .set({ text: "", mentions: "[]", deleted_at: sql<Date>`clock_timestamp()` })
    .where("id", "=", commentId)
    .returningAll()
    .executeTakeFirstOrThrow();
}
