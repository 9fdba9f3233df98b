import { notifications } from "@fairway/contract/notifications";
import { buildNotification } from "#testing/notifications.ts";
import { gateway } from "#testing/open-screen.tsx";
import { button, dialog, type ScreenState } from "#testing/screen-state.ts";

const some = [
  buildNotification("2", { title: "Your suggestion was declined", text: "Reason: too short.", link: "/FAQ?entry=storm", isRead: false }),
  buildNotification("1"),
];

export const states: readonly ScreenState[] = [
  {
    name: "notifications",
    answers: () => gateway.answer(notifications.list, { notifications: some, unread: 1, total: 2, hasMore: false }),
    open: "/FAQ",
    steps: [
      () =>
        button(/^Notifications/)
          .first()
          .click(),
    ],
    shows: () => dialog("Notifications"),
  },
];
