import type { Notice } from "@fairway/contract/notices";
import { useEffect, useState } from "react";
import { logFailure } from "#lib/log.ts";
import { lazyPart } from "#ui/lazy-part.tsx";

const NewNoticesDialog = lazyPart(() => import("#features/notices/new-notices-dialog.tsx"));

/** Asks once for this user's new notices, and opens them where there are some. A failure is only logged. */
export function NewNotices() {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  useEffect(() => {
    const left = new AbortController();
    import("#parts/notices/queries.ts")
      .then(({ newNotices }) => newNotices(left.signal))
      .then(setNotices)
      .catch((error: unknown) => {
        if (!left.signal.aborted) logFailure("The new notices could not be loaded", error);
      });
    return () => left.abort();
  }, []);
  return notices.length > 0 && <NewNoticesDialog notices={notices} />;
}
