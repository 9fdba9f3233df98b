/** What the shell says over every screen: one part, fetched while the browser is idle, because some of it reports a lost network. */
export { default as ConfirmDialog } from "./confirm-dialog.tsx";
export { default as CopyFailedDialog } from "./copy-failed-dialog.tsx";
export { Toasts } from "./toasts.tsx";
