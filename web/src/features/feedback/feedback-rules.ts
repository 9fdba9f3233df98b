import type { FeedbackAttachment, FeedbackType } from "@fairway/contract/feedback";
import type { DatasetRef } from "@fairway/contract/datasets";

/** `submiting` is how the states have always been spelled. */
export type FeedbackFormStatus = "pending" | "submiting" | "success" | "error";

export interface FeedbackContent {
  readonly type: FeedbackType | "";
  readonly comment: string;
  readonly datasets: readonly DatasetRef[];
  readonly attachments: readonly FeedbackAttachment[];
}

export const emptyFeedback: FeedbackContent = { type: "", comment: "", datasets: [], attachments: [] };

export interface FeedbackProblems {
  readonly type?: string;
  readonly comment?: string;
  readonly datasets?: string;
}

/** What keeps the feedback from being submitted; empty: nothing. */
export function problemsOf({ type, comment, datasets }: FeedbackContent): FeedbackProblems {
  return {
    ...(type === "" ? { type: "You must choose a feedback type" } : {}),
    ...(comment.trim() === "" ? { comment: "Comment text is required to submit feedback" } : {}),
    ...(type === "data" && datasets.length === 0 ? { datasets: "At least 1 Dataset must be selected" } : {}),
  };
}
