import type { Notice } from "@fairway/contract/notices";
import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { logFailure } from "#lib/browser/log.ts";
import { NoticeView } from "#parts/notices/notice-view.tsx";
import { markViewed } from "#parts/notices/queries.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import classes from "./notices.module.css";

/** Steps through new notices. It can be closed once the last one was reached; then all are marked as viewed. */
export default function NewNoticesDialog({ notices }: { notices: readonly Notice[] }) {
  const [index, setIndex] = useState(0);
  const [reachedLast, setReachedLast] = useState(notices.length === 1);
  const [closed, setClosed] = useState(false);
  const shown = notices[index];
  const goTo = (target: number) => {
    setIndex(target);
    if (target === notices.length - 1) setReachedLast(true);
  };
  const close = () => {
    if (!reachedLast) return;
    setClosed(true);
    markViewed(notices.map(({ id }) => id)).catch((error: unknown) => logFailure("The notices could not be marked as viewed", error));
  };
  return (
    <Dialog
      opened={!closed}
      onClose={close}
      title={notices.length === 1 ? "Information Notice" : "Information Notices"}
      size={560}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={reachedLast}
      zIndex={310}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by the keyboard */}
      <div className={classes["notice"]} tabIndex={0} role="region" aria-label="Notice" aria-live="polite">
        {shown && <NoticeView notice={shown} heading="h3" />}
      </div>
      <Group justify="space-between" mt={24} gap="sm">
        {notices.length > 1 && (
          <Group gap="sm">
            <Button variant="default" disabled={index === 0} onClick={() => goTo(index - 1)}>
              Previous
            </Button>
            <Button variant="default" disabled={index === notices.length - 1} onClick={() => goTo(index + 1)} data-autofocus>
              Next
            </Button>
            <span className={classes["position"]}>{`${index + 1} of ${notices.length}`}</span>
          </Group>
        )}
        {reachedLast && (
          <Button variant="default" onClick={close} ml="auto" data-autofocus={notices.length === 1 || undefined}>
            Close
          </Button>
        )}
      </Group>
    </Dialog>
  );
}
