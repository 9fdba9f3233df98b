import { useTour } from "#lib/tour.ts";
import { lazyPart } from "#ui/lazy-part.tsx";
import { WatchLiveChanges } from "./live-changes.ts";
import { NewNotices } from "./new-notices.tsx";
import { NewVersion } from "./new-version.tsx";
import { WatchNotifications } from "./watch-notifications.ts";

const Tour = lazyPart(() => import("./tour/tour.tsx"));

/** What keeps the page up to date, the offers that follow from it, and the tour. Loaded once the frame is shown. */
export function BackgroundParts({ userId, username }: { userId: string; username: string }) {
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
