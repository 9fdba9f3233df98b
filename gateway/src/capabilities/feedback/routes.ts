import type { feedback, feedbackAdministration } from "@fairway/contract/feedback";
import { attachment } from "#http/attachment.ts";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import { type AttachmentParts, attachmentKey, keepAttachment } from "./attachments.ts";
import { type SubmissionParts, received, setStatus, submit, submittedBy } from "./submissions.ts";

export interface Feedback extends SubmissionParts, AttachmentParts {
  /** Whether this portal takes feedback. */
  readonly enabled: () => boolean;
}

export function feedbackRoutes(parts: Feedback): Handlers<typeof feedback> {
  const requireEnabled = () => {
    if (!parts.enabled()) throw new Refusal("not-found", "This portal takes no feedback.");
  };
  return {
    upload: async ({ user, file }) => {
      requireEnabled();
      return keepAttachment(parts, user.id, await file());
    },
    create: async ({ user, body }) => {
      requireEnabled();
      return submit(parts, user, body);
    },
    own: ({ user }) => submittedBy(parts.db, user.id),
  };
}

export const feedbackAdministrationRoutes = ({ db, files }: Pick<Feedback, "db" | "files">): Handlers<typeof feedbackAdministration> => ({
  list: () => received(db),
  setStatus: ({ body: { id, status } }) => setStatus(db, id, status),
  attachment: async ({ params }) => {
    const found = await db
      .selectFrom("feedback_attachments")
      .select(["id", "filename"])
      .where("id", "=", params.id)
      .where("feedback_id", "is not", null)
      .executeTakeFirst();
    if (!found) throw new Refusal("not-found", "There is no such attachment.");
    const { size, content } = await files.read(attachmentKey(found.id));
    return {
      // Whatever somebody uploaded, no browser shows it as a page of ours.
      contentType: "application/octet-stream",
      headers: { "content-disposition": attachment(found.filename), "content-length": String(size) },
      chunks: content,
    };
  },
});
