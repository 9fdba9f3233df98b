import { createElement } from "react";
import { IconAlertCircle, IconCircleCheck } from "@tabler/icons-react";
import type { NotificationData } from "@mantine/notifications";

// The toasts come with their first use; what is shown before their host is mounted waits in their store.
async function show(toast: NotificationData): Promise<void> {
  const { notifications } = await import("@mantine/notifications");
  notifications.show(toast);
}

/** A success goes by itself: 2000 ms, or 1200 ms for edits, toggles and deletions. */
export function toastSuccess(message: string, durationMs: 2000 | 1200 = 2000): void {
  const icon = createElement(IconCircleCheck, { size: 16, "aria-hidden": true });
  void show({ message, icon, autoClose: durationMs, withCloseButton: false, role: "status" });
}

/** An error stays until it is read. */
export function toastError(title: string, message?: string): void {
  const icon = createElement(IconAlertCircle, { size: 16, "aria-hidden": true });
  void show({ title, message, icon, autoClose: false, role: "alert", closeButtonProps: { "aria-label": "Close" } });
}
