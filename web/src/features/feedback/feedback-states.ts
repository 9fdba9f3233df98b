import { feedback, feedbackAdministration } from "@fairway/contract/feedback";
import { page } from "vitest/browser";
import { gateway } from "#testing/open-screen.tsx";
import { button, dialog, forAdministrators, type ScreenState, title, failing } from "#testing/screen-state.ts";

const received = () => ({
  id: "1",
  username: "grace",
  name: "Grace Keller",
  email: "grace@fairway.example",
  type: "bug" as const,
  description: "It creaks.",
  datasets: ["Aviation/airports"],
  attachments: [{ id: "f-1", filename: "sketch.txt", size: 9 }],
  status: "new" as const,
  createdDateMs: 0,
  statusDateMs: null,
});

export const states: readonly ScreenState[] = [
  {
    name: "feedback",
    answers: () => gateway.answer(feedback.own, []),
    open: "/FAQ",
    steps: [() => button("Submit Feedback").click()],
    shows: () => dialog("Submit Feedback"),
  },
  ...forAdministrators([
    {
      name: "feedback-received",
      answers: () => gateway.answer(feedbackAdministration.list, [received()]),
      open: "/feedback-settings",
      shows: () => page.getByRole("list", { name: "Feedback" }),
      phone: true,
    },
    {
      name: "feedback-received-none",
      answers: () => gateway.answer(feedbackAdministration.list, []),
      open: "/feedback-settings",
      shows: title("Feedback"),
    },
    failing("feedback-received-failed", "/feedback-settings", feedbackAdministration.list),
  ]),
];
