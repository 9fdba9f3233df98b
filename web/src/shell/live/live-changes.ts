import { useEffect } from "react";
import { useLive } from "#lib/live/live-changes.ts";
import { logFailure } from "#lib/browser/log.ts";
import { currentSession } from "#lib/session/current-session.ts";
import { whenIdle } from "#lib/pacing/when-idle.ts";

/** Follows the live changes of the user while the session lasts, starting when the browser is idle. Key it by user. */
export function WatchLiveChanges({ userId }: { userId: string }): null {
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isLeft = false;
    const end = () => {
      isLeft = true;
      stop?.();
      stop = undefined;
    };
    const cancel = whenIdle(() => {
      Promise.all([import("#lib/live/share-stream.ts"), import("./live-queries.ts")])
        .then(([{ shareStream }, { reloadChangedQueries }]) => {
          if (isLeft) return;
          const stopSharing = shareStream(userId);
          if (stopSharing === undefined) return useLive.setState({ isSettled: true });
          const stops = [stopSharing, reloadChangedQueries()];
          stop = () => stops.forEach((stopOne) => stopOne());
        })
        .catch((error: unknown) => logFailure("The live changes could not be followed", error));
    });
    const session = currentSession();
    const unsubscribe = session.subscribe(() => {
      if (!session.isActive) end();
    });
    return () => {
      cancel();
      unsubscribe();
      end();
    };
  }, [userId]);
  return null;
}
