import { randomUUID } from "node:crypto";
import { type FeedbackAttachment, attachmentEndings, feedbackLimits } from "@fairway/contract/feedback";
import { type Kysely, sql } from "kysely";
import { countedInsert } from "#database/counted-insert.ts";
import type { Database } from "#database/schema.ts";
import { checkingHead } from "#http/content-kind.ts";
import { Refusal } from "#http/refusal.ts";
import type { UploadedFile } from "#http/upload.ts";
import { fileKey } from "#storage/key.ts";
import { type FileStore, FileTooLarge } from "#storage/storage.ts";
import { extensionOf, matchesExtension } from "./attachment-type.ts";

export const attachmentKey = (id: string) => fileKey("feedback", id);

export interface AttachmentParts {
  readonly db: Kysely<Database>;
  readonly files: FileStore;
  /** Maximum number of one user's uploads whose feedback has not been submitted yet. */
  readonly maxWaiting: number;
  /** Maximum total bytes of one user's attachments, submitted or not. */
  readonly maxBytes: number;
}

/**
 * Stores an uploaded file for feedback that is submitted later. The row is inserted before the file is written, gets its size
 * afterwards and is deleted after the file, so that no file is ever orphaned. A crash can leave a row without a file; such a row
 * is never listed, and `removeForgotten` deletes it.
 */
export async function keepAttachment(
  { db, files, maxWaiting, maxBytes }: AttachmentParts,
  userId: string,
  upload: UploadedFile,
): Promise<FeedbackAttachment> {
  const filename = sanitizeFileName(upload.filename);
  const extension = extensionOf(filename);
  if (extension === undefined) throw unsupportedType();
  const id = randomUUID();
  const room = await reserve(db, { id, user_id: userId, filename }, { maxWaiting, maxBytes });
  try {
    const checked = checkingHead(upload.content, (head) => {
      if (!matchesExtension(extension, head)) throw unsupportedType();
    });
    const { size } = await files.write(attachmentKey(id), checked, Math.min(room, feedbackLimits.attachmentBytes));
    await db.updateTable("feedback_attachments").set({ size }).where("id", "=", id).returning("id").executeTakeFirstOrThrow();
    return { id, filename };
  } catch (error) {
    // If this fails, too, the row stays and the next cleanup removes both.
    await removeWaiting(db, files, id).catch(() => undefined);
    if (!(error instanceof FileTooLarge)) throw error;
    if (room < feedbackLimits.attachmentBytes) throw noRoom(maxBytes);
    throw new Refusal("too-large", "The file is larger than 10,000,000 bytes.", { path: "file" });
  }
}

/** Inserts the row of an upload and returns how many bytes are left for it. Uploads in progress count with the maximum file size. */
const reserve = (
  db: Kysely<Database>,
  row: { id: string; user_id: string; filename: string },
  { maxWaiting, maxBytes }: Pick<AttachmentParts, "maxWaiting" | "maxBytes">,
): Promise<number> => {
  const requireRoom = async (trx: Kysely<Database>): Promise<number> => {
    const { waiting, bytes } = await trx
      .selectFrom("feedback_attachments")
      .select(({ fn }) => fn.countAll<string>().filterWhere("feedback_id", "is", null).as("waiting"))
      .select(sql<string>`coalesce(sum(coalesce(size, ${feedbackLimits.attachmentBytes}::bigint)), 0)`.as("bytes"))
      .where("user_id", "=", row.user_id)
      .executeTakeFirstOrThrow();
    if (Number(waiting) >= maxWaiting) {
      throw new Refusal(
        "too-many-requests",
        "Too many of your uploads belong to feedback that has not been submitted. Try again tomorrow.",
      );
    }
    const room = maxBytes - Number(bytes);
    if (room <= 0) throw noRoom(maxBytes);
    return room;
  };
  const insert = async (trx: Kysely<Database>, room: number): Promise<number> => {
    await trx.insertInto("feedback_attachments").values(row).execute();
    return room;
  };
  return countedInsert(db, { kind: "feedback-attachments", owner: row.user_id, requireRoom, insert });
};

/** Removes attachments whose feedback was not submitted within `hours` and returns their number. A failure leaves them for the next run. */
export async function removeForgotten(db: Kysely<Database>, files: FileStore, hours: number): Promise<number> {
  const expired = await db
    .updateTable("feedback_attachments")
    // Attachments without a size cannot be submitted.
    .set({ size: null })
    .where("feedback_id", "is", null)
    .where("created_at", "<", sql<Date>`now() - make_interval(hours => ${hours})`)
    .returning("id")
    .execute();
  for (const { id } of expired) await removeWaiting(db, files, id);
  return expired.length;
}

/** Removes the file first: if that fails, the row is still there to find it. */
async function removeWaiting(db: Kysely<Database>, files: FileStore, id: string): Promise<void> {
  await files.remove(attachmentKey(id));
  await db.deleteFrom("feedback_attachments").where("id", "=", id).where("feedback_id", "is", null).execute();
}

/** The bare file name, without folders and control characters. */
function sanitizeFileName(sent: string): string {
  const name = sent
    .slice(Math.max(sent.lastIndexOf("/"), sent.lastIndexOf("\\")) + 1)
    .replaceAll(/[\p{Cc}\p{Cs}\p{Cf}]/gu, "")
    .trim();
  if (name === "") throw new Refusal("invalid-request", "The file has no name.", { path: "file" });
  return name.length > feedbackLimits.fileNameCharacters ? truncateFileName(name) : name;
}

function truncateFileName(name: string): string {
  const dot = name.lastIndexOf(".");
  const extension = dot < 0 || name.length - dot > 20 ? "" : name.slice(dot);
  const start = name.slice(0, feedbackLimits.fileNameCharacters - extension.length - 1);
  // The cut may split a surrogate pair.
  return `${start.replace(/\p{Cs}$/u, "")}…${extension}`;
}

const noRoom = (maxBytes: number) =>
  new Refusal(
    "too-large",
    `This file doesn't fit: your attachments may take up ${maxBytes.toLocaleString("en-US")} bytes in total. Submit your feedback without it.`,
    { path: "file" },
  );

const unsupportedType = () =>
  new Refusal(
    "unsupported-media-type",
    `The content of an attachment has to match its extension, one of ${attachmentEndings.join(", ")}.`,
    {
      path: "file",
    },
  );
