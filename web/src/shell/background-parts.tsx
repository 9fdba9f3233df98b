import { WatchLiveChanges } from "./live-changes.ts";
import { NewNotices } from "./new-notices.tsx";
import { NewVersion } from "./new-version.tsx";
import { WatchNotifications } from "./watch-notifications.ts";

/** What keeps the page up to date, and the offers that follow from it. Loaded once the frame is shown. */
export function BackgroundParts({ userId, username }: { userId: string; username: string }) {
  return (
    <>
      <NewNotices key={username} />
      <NewVersion />
      <WatchLiveChanges userId={userId} />
      <WatchNotifications key={`notifications of ${username}`} />
    </>
  );
}
