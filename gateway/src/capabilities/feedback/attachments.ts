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

/**
 * Keeps an uploaded file for feedback that is submitted soon. The row comes first and tells its size last: a file without a
 * row is never left behind.
 */
export async function keepAttachment(
  { db, files, mostWaiting }: { db: Kysely<Database>; files: FileStore; mostWaiting: number },
  userId: string,
  upload: UploadedFile,
): Promise<FeedbackAttachment> {
  const filename = plainName(upload.filename);
  const ending = endingOf(filename);
  if (ending === undefined) throw notTaken();
  const waiting = await db
    .selectFrom("feedback_attachments")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("user_id", "=", userId)
    .where("feedback_id", "is", null)
    .executeTakeFirstOrThrow();
  if (Number(waiting.count) >= mostWaiting) {
    throw new Refusal("too-many-requests", "Too many of your uploads wait for their feedback to be submitted. Try again tomorrow.");
  }
  const id = randomUUID();
  await db.insertInto("feedback_attachments").values({ id, user_id: userId, filename }).execute();
  try {
    const sniffed = sniffing(upload.content, (head) => {
      if (!fits(ending, head)) throw notTaken();
    });
    const { size } = await files.write(attachmentKey(id), sniffed, feedbackLimits.attachmentBytes);
    await db.updateTable("feedback_attachments").set({ size }).where("id", "=", id).execute();
    return { id, filename };
  } catch (error) {
    await db.deleteFrom("feedback_attachments").where("id", "=", id).execute();
    if (error instanceof FileTooLarge) throw new Refusal("too-large", "The file is larger than 10,000,000 bytes.", { path: "file" });
    throw error;
  }
}

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
  for (const { id } of going) {
    await files.remove(attachmentKey(id));
    await db.deleteFrom("feedback_attachments").where("id", "=", id).where("feedback_id", "is", null).execute();
  }
  return going.length;
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

const notTaken = () =>
  new Refusal("unsupported-media-type", `Attachments are files whose content is what their ending says: ${attachmentEndings.join(", ")}.`, {
    path: "file",
  });
