import type { Notification } from "@fairway/contract/notifications";

/** A notification that was read. */
export const buildNotification = (id: string, overrides: Partial<Notification> = {}): Notification => ({
  id,
  title: `Number ${id}`,
  text: "",
  link: null,
  isRead: true,
  createdDateMs: Date.UTC(2026, 10, 20, 12),
  ...overrides,
});
