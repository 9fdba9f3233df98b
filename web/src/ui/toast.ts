import { notifications } from "@mantine/notifications";

/** A success goes by itself: 2000 ms, or 1200 ms for edits, toggles and deletions. */
export function toastSuccess(message: string, durationMs: 2000 | 1200 = 2000): void {
  notifications.show({ message, autoClose: durationMs, withCloseButton: false, role: "status" });
}

/** An error stays until it is read. */
export function toastError(title: string, message?: string): void {
  notifications.show({ title, message, color: "red", autoClose: false, role: "alert" });
}
