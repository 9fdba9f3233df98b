import type { FeedbackStatus, FeedbackType } from "@fairway/contract/feedback";

/** In the order in which they are offered. */
export const feedbackTypeLabels: Readonly<Record<FeedbackType, string>> = {
  algorithm: "Algorithm Request",
  bug: "Bug",
  data: "Data Product Request",
  feedback: "Feedback",
};

export const feedbackStatusLabels: Readonly<Record<FeedbackStatus, string>> = {
  new: "New",
  "in progress": "In progress",
  done: "Done",
};
