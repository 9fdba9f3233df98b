import { useEffect } from "react";
import { useLive } from "#lib/live-changes.ts";
import { logFailure } from "#lib/log.ts";
import { currentSession } from "#lib/session/current-session.ts";
import { whenIdle } from "#lib/when-idle.ts";

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
      import("#lib/live/share-stream.ts")
        .then(({ shareStream }) => {
          if (isLeft) return;
          stop = shareStream(userId);
          if (stop === undefined) useLive.setState({ isSettled: true });
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
