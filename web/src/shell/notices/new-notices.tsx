import type { Notice } from "@fairway/contract/notices";
import { useEffect, useRef, useState } from "react";
import { onLiveChange } from "#lib/live/live-changes.ts";
import { logFailure } from "#lib/browser/log.ts";
import { fetchNewNotices } from "#parts/notices/queries.ts";
import { island } from "#ui/island.tsx";
import NewNoticesBar from "./new-notices-bar.tsx";

const NewNoticesDialog = island(async () => ({ default: (await import("../shell-dialogs.ts")).NewNoticesDialog }));

/** Opens the user's new notices when the page loads. Those that come later are offered, because nobody is to be interrupted. A failure is only logged. */
export function NewNotices() {
  /** In the dialog. */
  const [opened, setOpened] = useState<readonly Notice[]>([]);
  const [fresh, setFresh] = useState<readonly Notice[]>([]);
  const isFirst = useRef(true);
  useEffect(() => {
    let loading = new AbortController();
    const load = () => {
      loading.abort();
      const { signal } = (loading = new AbortController());
      fetchNewNotices(signal)
        .then((notices) => {
          if (isFirst.current) setOpened(notices);
          isFirst.current = false;
          setFresh(notices);
        })
        .catch((error: unknown) => {
          if (!signal.aborted) logFailure("The new notices could not be loaded", error);
        });
    };
    load();
    const stop = onLiveChange("notices", load);
    return () => {
      stop();
      loading.abort();
    };
  }, []);
  const arrived = fresh.filter(({ id }) => !opened.some((one) => one.id === id));
  return (
    <>
      {arrived.length > 0 && <NewNoticesBar notices={arrived} onRead={() => setOpened(arrived)} />}
      {opened.length > 0 && <NewNoticesDialog key={opened.map(({ id }) => id).join()} notices={opened} />}
    </>
  );
}
