import { type Notification, notifications } from "@fairway/contract/notifications";
import { gateway } from "#testing/open-screen.tsx";
import { button, dialog, type ScreenState } from "#testing/screen-state.ts";

const notification = (id: string, more: Partial<Notification> = {}): Notification => ({
  id,
  title: `Number ${id}`,
  text: "",
  link: null,
  isRead: true,
  createdDateMs: Date.UTC(2026, 10, 20, 12),
  ...more,
});

const some = [
  notification("2", { title: "Your suggestion was declined", text: "Reason: too short.", link: "/FAQ?entry=storm", isRead: false }),
  notification("1"),
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
