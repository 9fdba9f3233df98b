import type { Notice } from "@fairway/contract/notices";
import { useEffect, useState } from "react";
import { logFailure } from "#lib/log.ts";
import { lazyPart } from "#ui/lazy-part.tsx";

const NewNoticesDialog = lazyPart(() => import("#features/notices/new-notices-dialog.tsx"));

/** Loads the user's new notices once and opens them if there are any. A failure is only logged. */
export function NewNotices() {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    import("#parts/notices/queries.ts")
      .then(({ fetchNewNotices }) => fetchNewNotices(controller.signal))
      .then(setNotices)
      .catch((error: unknown) => {
        if (!controller.signal.aborted) logFailure("The new notices could not be loaded", error);
      });
    return () => controller.abort();
  }, []);
  return notices.length > 0 && <NewNoticesDialog notices={notices} />;
}
