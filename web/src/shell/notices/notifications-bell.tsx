import { classNames } from "#ui/class-names.ts";
import { IconBell } from "#ui/icons/bell.ts";
import { useUnreadNotifications } from "#lib/live/unread-notifications.ts";
import { openOverlay } from "../frame/overlays.ts";
import { setDrawer } from "../frame/panel-state.ts";
import classes from "./notifications-bell.module.css";

/** Opens the notifications. Its name says how many are unread. */
export function NotificationsBell({ className }: { className: string | undefined }) {
  const unread = useUnreadNotifications((state) => state.unread);
  const count = unread > 99 ? "99+" : String(unread);
  return (
    <button
      type="button"
      className={classNames(className, classes["bell"])}
      aria-label={unread === 0 ? "Notifications" : `Notifications, ${unread.toLocaleString("en-US")} unread`}
      title="Notifications"
      onClick={() => {
        setDrawer(false);
        openOverlay("notifications");
      }}
    >
      <IconBell size={20} stroke={1.6} aria-hidden />
      {unread > 0 && (
        <span className={classes["count"]} aria-hidden>
          {count}
        </span>
      )}
    </button>
  );
}
