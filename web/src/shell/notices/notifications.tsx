import { NotificationsDialog } from "#features/notifications/notifications-dialog.tsx";
import { closeOverlay } from "../frame/overlays.ts";

export default function Notifications({ opened }: { opened: boolean }) {
  return <NotificationsDialog opened={opened} onClose={closeOverlay} />;
}
