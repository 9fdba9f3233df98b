import type { FeedbackStatus, FeedbackType } from "@fairway/contract/feedback";

/** In the order in which they are offered. */
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

/** A newer server may answer types and states without words here: these are shown as they are. */
const wordOr = (words: Readonly<Record<string, string>>, value: string): string => words[value] ?? value;
export const feedbackTypeLabel = (type: FeedbackType): string => wordOr(feedbackTypeLabels, type);
export const feedbackStatusLabel = (status: FeedbackStatus): string => wordOr(feedbackStatusLabels, status);
