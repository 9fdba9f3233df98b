/** Messages of the shell over every screen: one part, fetched while the browser is idle, because some of it reports a lost network. */
export { default as ConfirmDialog } from "./dialog/confirm-dialog.tsx";
export { default as CopyFailedDialog } from "./dialog/copy-failed-dialog.tsx";
export { Toasts } from "./toast/toasts.tsx";
