import { Notifications } from "@mantine/notifications";

/** Where toasts appear. Mounted once, by the shell, when the page is idle. */
export function Toasts() {
  return <Notifications position="bottom-right" limit={4} transitionDuration={150} zIndex={400} />;
}
