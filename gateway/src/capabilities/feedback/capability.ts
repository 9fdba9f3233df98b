import { feedback, feedbackAdministration } from "@fairway/contract/feedback";
import { type Capability, implement } from "#http/capability.ts";
import { attachment } from "#http/attachment.ts";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { SecurityLimits } from "#identity/security-limits.ts";
import type { LiveReporter } from "#database/live-changes.ts";
import { attachmentKey, keepAttachment } from "./attachments.ts";
import { type CleaningParts, cleanFeedback } from "./cleaning.ts";
import { type SubmissionParts, received, setStatus, submit, submittedBy } from "./submissions.ts";

type Limits = Pick<SecurityLimits, "feedbackPerHour" | "feedbackFilesWaiting" | "feedbackFilesBytes" | "feedbackFileHours">;

export interface FeedbackParts extends Pick<SubmissionParts, "db" | "canRead">, Pick<CleaningParts, "files" | "log"> {
  /** Whether feedback is enabled. */
  readonly isEnabled: () => boolean;
  readonly limits: Limits;
  readonly live: LiveReporter;
}

/** The lists of administrators and the author's own. */
function notifyReaders(live: LiveReporter, authorId: string | null): void {
  live.report({ topic: "feedback", audience: { roles: ["admin"] } });
  if (authorId !== null) live.report({ topic: "feedback", audience: { users: [authorId] } });
}

/** Feedback with attachments: submitting it, and reviewing it as an administrator. */
export function openFeedback(parts: FeedbackParts): Capability {
  const cleaning = cleanFeedback({ ...parts, hours: parts.limits.feedbackFileHours });
  return {
    routes: {
      feedback: implement(feedback, feedbackHandlers(parts)),
      feedbackAdministration: implement(feedbackAdministration, administrationHandlers(parts)),
    },
    close: () => cleaning.close(),
  };
}

function feedbackHandlers({ db, files, canRead, isEnabled, limits, live }: FeedbackParts): Handlers<typeof feedback> {
  const requireEnabled = () => {
    if (!isEnabled()) throw new Refusal("not-found", "This portal does not accept feedback.");
  };
  const attachmentParts = { db, files, maxWaiting: limits.feedbackFilesWaiting, maxBytes: limits.feedbackFilesBytes };
  return {
    upload: async ({ user, file }) => {
      requireEnabled();
      return keepAttachment(attachmentParts, user.id, await file());
    },
    create: async ({ user, body }) => {
      requireEnabled();
      const submitted = await submit({ db, canRead, maxPerHour: limits.feedbackPerHour }, user, body);
      notifyReaders(live, user.id);
      return submitted;
    },
    own: ({ user }) => submittedBy(db, user.id),
  };
}

const administrationHandlers = ({
  db,
  files,
  live,
}: Pick<FeedbackParts, "db" | "files" | "live">): Handlers<typeof feedbackAdministration> => ({
  list: () => received(db),
  setStatus: async ({ body: { id, status } }) => {
    const { updated, authorId } = await setStatus(db, id, status);
    notifyReaders(live, authorId);
    return updated;
  },
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
      // Never rendered by a browser under the portal's origin, whatever was uploaded.
      contentType: "application/octet-stream",
      headers: { "content-disposition": attachment(found.filename), "content-length": String(size) },
      chunks: content,
    };
  },
});
