import { feedbackTypes } from "@fairway/contract/feedback";
import { datasetRef } from "@fairway/contract/datasets";
import { z } from "zod";

/** `submiting` is the specified spelling. */
export type FeedbackFormStatus = "pending" | "submiting" | "success" | "error";

export const feedbackContent = z.object({
  type: z.enum([...feedbackTypes, ""]),
  comment: z.string(),
  datasets: z.array(datasetRef).readonly(),
  attachments: z.array(z.object({ id: z.string(), filename: z.string() })).readonly(),
});
export type FeedbackContent = Readonly<z.infer<typeof feedbackContent>>;

export const emptyFeedback: FeedbackContent = { type: "", comment: "", datasets: [], attachments: [] };

/** Name of the stored feedback draft, which survives the end of a session. */
export const feedbackDraftName = "feedback";

export interface FeedbackProblems {
  readonly type?: string;
  readonly comment?: string;
  readonly datasets?: string;
}

/** Problems by field; empty when the feedback can be submitted. */
export function problemsOf({ type, comment, datasets }: FeedbackContent): FeedbackProblems {
  return {
    ...(type === "" ? { type: "You must choose a feedback type" } : {}),
    ...(comment.trim() === "" ? { comment: "Comment text is required to submit feedback" } : {}),
    ...(type === "data" && datasets.length === 0 ? { datasets: "At least 1 Dataset must be selected" } : {}),
  };
}
