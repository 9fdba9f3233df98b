import { randomUUID } from "node:crypto";
import { type FeedbackAttachment, attachmentEndings, feedbackLimits } from "@fairway/contract/feedback";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { Refusal } from "#http/refusal.ts";
import type { UploadedFile } from "#http/upload.ts";
import { fileKey } from "#storage/key.ts";
import { type FileStore, FileTooLarge } from "#storage/storage.ts";
import { endingOf, fits, sniffedBytes } from "./attachment-type.ts";

export const attachmentKey = (id: string) => fileKey("feedback", id);

export interface AttachmentParts {
  readonly db: Kysely<Database>;
  readonly files: FileStore;
  /** Uploads of one user that wait for their feedback to be submitted. */
  readonly mostWaiting: number;
  /** Bytes of all attachments of one user, submitted or not. */
  readonly mostBytes: number;
}

/**
 * Keeps an uploaded file for feedback that is submitted soon. The row comes first, tells its size last and goes last: a file
 * without a row, which nothing would ever find, is never left behind. A row without its file is possible where this machine or
 * the database fails in the middle; nobody is told of it, and it goes with the forgotten ones.
 */
export async function keepAttachment(
  { db, files, mostWaiting, mostBytes }: AttachmentParts,
  userId: string,
  upload: UploadedFile,
): Promise<FeedbackAttachment> {
  const filename = plainName(upload.filename);
  const ending = endingOf(filename);
  if (ending === undefined) throw notTaken();
  const id = randomUUID();
  const room = await reserve(db, { id, user_id: userId, filename }, { mostWaiting, mostBytes });
  try {
    const sniffed = sniffing(upload.content, (head) => {
      if (!fits(ending, head)) throw notTaken();
    });
    const { size } = await files.write(attachmentKey(id), sniffed, Math.min(room, feedbackLimits.attachmentBytes));
    await db.updateTable("feedback_attachments").set({ size }).where("id", "=", id).returning("id").executeTakeFirstOrThrow();
    return { id, filename };
  } catch (error) {
    // Where this fails, too, the row stays, and the next cleaning finds both.
    await removeWaiting(db, files, id).catch(() => undefined);
    if (!(error instanceof FileTooLarge)) throw error;
    if (room < feedbackLimits.attachmentBytes) throw noRoom(mostBytes);
    throw new Refusal("too-large", "The file is larger than 10,000,000 bytes.", { path: "file" });
  }
}

/** Takes a place for an upload; answers how many bytes are left for it. One that is still coming counts as the largest there can be. */
const reserve = (
  db: Kysely<Database>,
  row: { id: string; user_id: string; filename: string },
  { mostWaiting, mostBytes }: Pick<AttachmentParts, "mostWaiting" | "mostBytes">,
): Promise<number> =>
  db.transaction().execute(async (trx) => {
    // Uploads of one user take turns here, so that none of them is one too many.
    await trx.selectFrom("users").select("id").where("id", "=", row.user_id).forUpdate().execute();
    const { waiting, bytes } = await trx
      .selectFrom("feedback_attachments")
      .select(({ fn }) => fn.countAll<string>().filterWhere("feedback_id", "is", null).as("waiting"))
      .select(sql<string>`coalesce(sum(coalesce(size, ${feedbackLimits.attachmentBytes}::bigint)), 0)`.as("bytes"))
      .where("user_id", "=", row.user_id)
      .executeTakeFirstOrThrow();
    if (Number(waiting) >= mostWaiting) {
      throw new Refusal("too-many-requests", "Too many of your uploads wait for their feedback to be submitted. Try again tomorrow.");
    }
    const room = mostBytes - Number(bytes);
    if (room <= 0) throw noRoom(mostBytes);
    await trx.insertInto("feedback_attachments").values(row).execute();
    return room;
  });

/** Removes attachments whose feedback was not submitted within `hours`; answers how many. A failure leaves them for the next round. */
export async function removeForgotten(db: Kysely<Database>, files: FileStore, hours: number): Promise<number> {
  const going = await db
    .updateTable("feedback_attachments")
    // From here on nobody can submit it.
    .set({ size: null })
    .where("feedback_id", "is", null)
    .where("created_at", "<", sql<Date>`now() - make_interval(hours => ${hours})`)
    .returning("id")
    .execute();
  for (const { id } of going) await removeWaiting(db, files, id);
  return going.length;
}

/** The file first: what is left of it, its row still tells. */
async function removeWaiting(db: Kysely<Database>, files: FileStore, id: string): Promise<void> {
  await files.remove(attachmentKey(id));
  await db.deleteFrom("feedback_attachments").where("id", "=", id).where("feedback_id", "is", null).execute();
}

/** Passes the chunks on; `check` sees the beginning before any of it is passed. */
async function* sniffing(content: AsyncIterable<Uint8Array>, check: (head: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array();
  for await (const chunk of content) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.byteLength < sniffedBytes) continue;
    check(head.subarray(0, sniffedBytes));
    yield head;
    head = undefined;
  }
  if (head === undefined) return;
  check(head);
  yield head;
}

/** Without folders and without what no file's name holds. */
function plainName(sent: string): string {
  const name = sent
    .slice(Math.max(sent.lastIndexOf("/"), sent.lastIndexOf("\\")) + 1)
    .replaceAll(/[\p{Cc}\p{Cs}\p{Cf}]/gu, "")
    .trim();
  if (name === "") throw new Refusal("invalid-request", "The file has no name.", { path: "file" });
  return name.length > feedbackLimits.fileNameCharacters ? shortened(name) : name;
}

function shortened(name: string): string {
  const dot = name.lastIndexOf(".");
  const ending = dot < 0 || name.length - dot > 20 ? "" : name.slice(dot);
  const start = name.slice(0, feedbackLimits.fileNameCharacters - ending.length - 1);
  // The cut may leave half of a character.
  return `${start.replace(/\p{Cs}$/u, "")}…${ending}`;
}

const noRoom = (mostBytes: number) =>
  new Refusal(
    "too-large",
    `There is no room for this file: your attachments may take up ${mostBytes.toLocaleString("en-US")} bytes together. Submit your feedback without it.`,
    { path: "file" },
  );

const notTaken = () =>
  new Refusal("unsupported-media-type", `Attachments are files whose content is what their ending says: ${attachmentEndings.join(", ")}.`, {
    path: "file",
  });
