import { IconBell } from "@tabler/icons-react";
import { useEffect } from "react";
import { liveSettled } from "#lib/live-changes.ts";
import { logFailure } from "#lib/log.ts";
import { useUnreadNotifications } from "#lib/unread-notifications.ts";
import { whenIdle } from "#lib/when-idle.ts";
import { openOverlay } from "./overlays.ts";
import { setDrawer } from "./panel-state.ts";
import classes from "./notifications-bell.module.css";

/** Opens the notifications. Its name says how many are unread. */
export function NotificationsBell({ className }: { className: string | undefined }) {
  const unread = useUnreadNotifications((state) => state.unread);
  const count = unread > 99 ? "99+" : String(unread);
  return (
    <button
      type="button"
      className={[className, classes["bell"]].join(" ")}
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

/** Keeps the number of unread notifications up to date, starting when the browser is idle. Key it by user. */
export function WatchNotifications(): null {
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isLeft = false;
    const cancel = whenIdle(() => {
      Promise.all([import("#parts/notifications/queries.ts"), liveSettled()])
        .then(([{ watchUnread }]) => {
          if (!isLeft) stop = watchUnread();
        })
        .catch((error: unknown) => logFailure("The notifications could not be loaded", error));
    });
    return () => {
      isLeft = true;
      cancel();
      stop?.();
      useUnreadNotifications.setState({ unread: 0 });
    };
  }, []);
  return null;
}
