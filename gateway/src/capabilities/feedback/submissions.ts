import { randomUUID } from "node:crypto";
import {
  type FeedbackDraft,
  type FeedbackStatus,
  type FeedbackType,
  type OwnFeedback,
  type ReceivedFeedback,
  maxReceivedPerStatus,
} from "@fairway/contract/feedback";
import { type ColumnType, type Generated, type Kysely, type Selectable, sql } from "kysely";
import { countedInsert } from "#database/counted-insert.ts";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { type CanRead, noSuchDataset } from "#personal/readable-dataset.ts";

declare module "#database/schema.ts" {
  interface Database {
    feedback: {
      id: string;
      user_id: string | null;
      username: string;
      name: string;
      email: string;
      type: FeedbackType;
      /** Markdown, as submitted. */
      description: string;
      /** `categoryId/datasetId` */
      datasets: string[];
      status: Generated<FeedbackStatus>;
      created_at: ColumnType<Date, never, never>;
      status_at: ColumnType<Date | null, never, Date>;
    };
    /** Files of feedback, and uploads whose feedback has not been submitted yet. */
    feedback_attachments: {
      id: string;
      user_id: string | null;
      feedback_id: string | null;
      /** Position among the attachments of one submission, from 0. */
      place: number | null;
      filename: string;
      /** Bytes; null while the file is being uploaded or removed. */
      size: number | null;
      created_at: ColumnType<Date, never, never>;
    };
  }
}

type Row = Selectable<Database["feedback"]>;

const maxOwnListed = 200;

export interface SubmissionParts {
  readonly db: Kysely<Database>;
  readonly canRead: CanRead;
  readonly maxPerHour: number;
}

/** Stores feedback together with its attachments. The author's name and email come from the account, not from the draft. */
export async function submit({ db, canRead, maxPerHour }: SubmissionParts, user: SignedInUser, draft: FeedbackDraft): Promise<OwnFeedback> {
  const { type, description, datasets, attachments } = draft;
  if (draft.username !== user.username) {
    throw new Refusal("invalid-value", "You can submit feedback only under your own name.", { path: "username" });
  }
  if (new Set(attachments).size < attachments.length) {
    throw new Refusal("invalid-value", "An attachment is listed twice.", { path: "attachments" });
  }
  await requireAllReadable(canRead, user, datasets);
  const insert = async (trx: Kysely<Database>): Promise<OwnFeedback> => {
    const account = await trx
      .selectFrom("users")
      .select(["username", "email", "first_name", "last_name"])
      .where("id", "=", user.id)
      .executeTakeFirstOrThrow();
    const inserted = await trx
      .insertInto("feedback")
      .values({
        id: randomUUID(),
        user_id: user.id,
        username: account.username,
        name: [account.first_name, account.last_name].filter((part) => part !== null && part !== "").join(" "),
        email: account.email ?? "",
        type,
        description,
        datasets: [...new Set(datasets)],
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    for (const [place, id] of attachments.entries()) {
      const { numUpdatedRows } = await trx
        .updateTable("feedback_attachments")
        .set({ feedback_id: inserted.id, place })
        .where("id", "=", id)
        .where("user_id", "=", user.id)
        .where("feedback_id", "is", null)
        .where("size", "is not", null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) {
        throw new Refusal("invalid-value", "You have not uploaded this attachment, or it has expired.", { path: `attachments.${place}` });
      }
    }
    const [submitted] = await withAttachments(trx, [inserted]);
    if (!submitted) throw new Error("the inserted feedback is missing");
    return submitted;
  };
  return countedInsert(db, {
    kind: "feedback",
    owner: user.id,
    requireRoom: (trx) => requireFewOfHour(trx, user, maxPerHour),
    insert,
  });
}

export async function submittedBy(db: Kysely<Database>, userId: string): Promise<OwnFeedback[]> {
  const rows = await db
    .selectFrom("feedback")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(maxOwnListed)
    .execute();
  return withAttachments(db, rows);
}

/** Newest first, limited per status, so that finished feedback does not displace open feedback. */
export async function received(db: Kysely<Database>): Promise<ReceivedFeedback[]> {
  const { rows } = await sql<Row>`
    select * from (select *, row_number() over (partition by status order by created_at desc, id) as place from feedback) as placed
    where place <= ${maxReceivedPerStatus} order by created_at desc, id`.execute(db);
  return withAttachments(db, rows);
}

/** `authorId`: null if the account was removed. */
export async function setStatus(
  db: Kysely<Database>,
  id: string,
  status: FeedbackStatus,
): Promise<{ updated: ReceivedFeedback; authorId: string | null }> {
  const row = await db
    .updateTable("feedback")
    .set({ status, status_at: sql<Date>`now()` })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  const [updated] = row ? await withAttachments(db, [row]) : [];
  if (!row || !updated) throw new Refusal("not-found", "There is no such feedback.");
  return { updated, authorId: row.user_id };
}

async function requireAllReadable(canRead: CanRead, user: SignedInUser, datasets: readonly string[]): Promise<void> {
  for (const [index, path] of datasets.entries()) {
    const [datasetCategory = "", datasetId = ""] = path.split("/");
    if (await canRead(user, { datasetCategory, datasetId })) continue;
    throw new Refusal("invalid-value", noSuchDataset({ datasetCategory, datasetId }), { path: `datasets.${index}` });
  }
}

async function requireFewOfHour(trx: Kysely<Database>, user: SignedInUser, maxPerHour: number): Promise<void> {
  const { count } = await trx
    .selectFrom("feedback")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("user_id", "=", user.id)
    .where("created_at", ">", sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow();
  if (Number(count) >= maxPerHour) {
    throw new Refusal("too-many-requests", "You have submitted a lot of feedback within the hour. Try again later.");
  }
}

async function withAttachments(db: Kysely<Database>, rows: readonly Row[]): Promise<ReceivedFeedback[]> {
  if (rows.length === 0) return [];
  const found = await db
    .selectFrom("feedback_attachments")
    .select(["id", "feedback_id", "filename", "size"])
    .where("feedback_id", "in", sql<string>`(select unnest(${rows.map(({ id }) => id)}::text[]))`)
    .orderBy("place")
    .execute();
  const attachments = new Map<string | null, ReceivedFeedback["attachments"]>();
  for (const { id, feedback_id, filename, size } of found) {
    const siblings = attachments.get(feedback_id) ?? [];
    siblings.push({ id, filename, size: size ?? 0 });
    attachments.set(feedback_id, siblings);
  }
  return rows.map((row) => ({
    id: row.id,
    username: row.username,
    name: row.name,
    email: row.email,
    type: row.type,
    description: row.description,
    datasets: row.datasets,
    attachments: attachments.get(row.id) ?? [],
    status: row.status,
    createdDateMs: row.created_at.getTime(),
    statusDateMs: row.status_at?.getTime() ?? null,
  }));
}
