import { useEffect } from "react";
import { useFlowMembership } from "#lib/screens/flow-membership.ts";
import { watchFlowGroups } from "#parts/flow-groups/queries.ts";

/** Keeps what the menu shows of the user's flow groups up to date, from login on. A failure is only logged. Key it by user and roles. */
export function WatchFlowGroups(): null {
  useEffect(() => {
    const stop = watchFlowGroups();
    return () => {
      stop();
      useFlowMembership.setState({ isMember: false, needsMyReview: 0 });
    };
  }, []);
  return null;
}
