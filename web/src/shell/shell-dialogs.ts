/** The dialogs that the shell opens over every screen: one part, fetched while the browser is idle. */
export { default as Feedback } from "./feedback.tsx";
export { default as NewNoticesDialog } from "#features/notices/new-notices-dialog.tsx";
export { default as Notifications } from "./notifications.tsx";
export { default as PhoneDrawer } from "./phone-drawer.tsx";
export { default as ShortcutSheet } from "./shortcut-sheet.tsx";
export { default as SignInAgain } from "./sign-in-again.tsx";
