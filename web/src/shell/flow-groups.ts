import { useEffect } from "react";
import { useFlowMembership } from "#lib/flow-membership.ts";
import { logFailure } from "#lib/log.ts";

/** Keeps what the menu shows of the user's flow groups up to date, from login on. A failure is only logged. Key it by user and roles. */
export function WatchFlowGroups(): null {
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isLeft = false;
    import("#parts/flow-groups/queries.ts")
      .then(({ watchFlowGroups }) => {
        if (!isLeft) stop = watchFlowGroups();
      })
      .catch((error: unknown) => logFailure("The flow groups could not be loaded", error));
    return () => {
      isLeft = true;
      stop?.();
      useFlowMembership.setState({ isMember: false, needsMyReview: 0 });
    };
  }, []);
  return null;
}
