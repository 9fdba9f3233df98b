/** The dialogs that the shell opens over every screen: one part, fetched while the browser is idle. */
export { default as Feedback } from "./notices/feedback.tsx";
export { default as NewNoticesDialog } from "#features/notices/new-notices-dialog.tsx";
export { default as Notifications } from "./notices/notifications.tsx";
export { default as PhoneDrawer } from "./frame/phone-drawer.tsx";
export { default as ShortcutSheet } from "./frame/shortcut-sheet.tsx";
export { default as SignInAgain } from "./session/sign-in-again.tsx";
