import type { FeedbackStatus, FeedbackType } from "@fairway/contract/feedback";

/** In display order. */
export const feedbackTypeLabels: Readonly<Record<FeedbackType, string>> = {
  algorithm: "Algorithm Request",
  bug: "Bug",
  data: "Data Product Request",
  feedback: "Feedback",
};

const feedbackStatusLabels: Readonly<Record<FeedbackStatus, string>> = {
  new: "New",
  "in progress": "In progress",
  done: "Done",
};

/** A newer server may send types and states without a label here; those are shown as they are. */
const labelOf = (labels: Readonly<Record<string, string>>, value: string): string => labels[value] ?? value;
export const feedbackTypeLabel = (type: FeedbackType): string => labelOf(feedbackTypeLabels, type);
export const feedbackStatusLabel = (status: FeedbackStatus): string => labelOf(feedbackStatusLabels, status);
