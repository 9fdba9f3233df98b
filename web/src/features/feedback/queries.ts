import { type FeedbackDraft, feedback } from "@fairway/contract/feedback";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";

/** The user's own feedback, newest first. */
export const ownFeedbackQuery = queryOptions({
  queryKey: ["feedback", "own"],
  queryFn: ({ signal }) => call(feedback.own, {}, { signal }),
  staleTime: 0,
});

/** Rejects for any status other than 201. */
export async function submitFeedback(body: FeedbackDraft): Promise<void> {
  await call(feedback.create, { body }, { status: 201 });
}
