import { useEffect } from "react";
import { messagesOf } from "#lib/gateway-error.ts";
import { onPreferenceRefused } from "#lib/preferences.ts";
import { useTour } from "#lib/tour.ts";
import { lazyPart } from "#ui/lazy-part.tsx";
import { toastWarning } from "#ui/toast.ts";
import { WatchLiveChanges } from "./live-changes.ts";
import { NewNotices } from "./new-notices.tsx";
import { NewVersion } from "./new-version.tsx";
import { WatchNotifications } from "./watch-notifications.ts";

const Tour = lazyPart(() => import("./tour/tour.tsx"));

/** What keeps the page up to date, the offers that follow from it, and the tour. Loaded once the frame is shown. */
export function BackgroundParts({ userId, username }: { userId: string; username: string }) {
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
      <WatchLiveChanges userId={userId} />
      <WatchNotifications key={`notifications of ${username}`} />
    </>
  );
}
