import { useEffect } from "react";
import { liveSettled } from "#lib/live/live-changes.ts";
import { logFailure } from "#lib/browser/log.ts";
import { useUnreadNotifications } from "#lib/live/unread-notifications.ts";
import { whenIdle } from "#lib/pacing/when-idle.ts";
import { watchUnread } from "#parts/notifications/queries.ts";

/** Keeps the number of unread notifications up to date, starting when the browser is idle. Key it by user. */
export function WatchNotifications(): null {
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isLeft = false;
    const cancel = whenIdle(() => {
      liveSettled()
        .then(() => {
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
