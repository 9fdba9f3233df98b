import { useEffect } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { onPreferenceRefused } from "#lib/gateway/preferences.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { useTour } from "#lib/screens/tour.ts";
import { island } from "#ui/island.tsx";
import { toastWarning } from "#ui/toast/toast.ts";
import { WatchFlowGroups } from "./flow-groups.ts";
import { WatchLiveChanges } from "../live/live-changes.ts";
import { NewNotices } from "../notices/new-notices.tsx";
import { NewVersion } from "../live/new-version.tsx";
import { useLoadDocs, usePrefetchSaved } from "../prefetched-data.ts";
import { WatchNotifications } from "../notices/watch-notifications.ts";

const Tour = island(() => import("../tour/tour.tsx"));

/**
 * Parts that keep the page up to date or fetch ahead, the offers that follow from both, and the tour. Loaded once the frame is
 * shown, so that the first screen waits for none of it.
 */
export function BackgroundParts() {
  const { roles, preferred_username: username, sub: userId } = useCurrentUser();
  useLoadDocs(username);
  usePrefetchSaved(username);
  useEffect(
    () => onPreferenceRefused((error) => toastWarning("Your choice is kept in this browser only", messagesOf(error).join(" "))),
    [],
  );
  const hasTour = useTour(({ isOpen }) => isOpen);
  return (
    <>
      {hasTour && <Tour />}
      <NewNotices key={username} />
      <NewVersion />
      <WatchFlowGroups key={`flow groups of ${username} with ${roles.join()}`} />
      <WatchLiveChanges userId={userId} />
      <WatchNotifications key={`notifications of ${username}`} />
    </>
  );
}
