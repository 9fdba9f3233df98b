import type { Alert } from "@fairway/contract/alerts";
import { Button, Checkbox } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messagesOf } from "#lib/gateway-error.ts";
import { localTime } from "#lib/local-time.ts";
import { browserZone } from "#lib/time-zone.ts";
import { Dialog } from "#ui/dialog.tsx";
import { EmptyState, ErrorState, LoadingRows } from "#ui/states.tsx";
import { checkText } from "./alert-text.ts";
import { historyQuery } from "./queries.ts";
import classes from "./alerts.module.css";

export interface AlertHistoryDialogProps {
  opened: boolean;
  alert: Alert;
  onClose: () => void;
}

/** What the checks of an alert found. */
export default function AlertHistoryDialog({ opened, alert, onClose }: AlertHistoryDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={`History of ${alert.name}`}>
      <History key={alert.id} alert={alert} />
    </Dialog>
  );
}

function History({ alert }: { alert: Alert }) {
  const [onlyChanges, setOnlyChanges] = useState(true);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(historyQuery(alert.id, onlyChanges));
  const checks = data?.pages.flatMap((page) => page.checks);
  return (
    <>
      <Checkbox
        label="Only changes and messages"
        checked={onlyChanges}
        data-autofocus
        onChange={(event) => setOnlyChanges(event.currentTarget.checked)}
      />
      {error !== null && !checks ? (
        <ErrorState message="The history could not be loaded" details={messagesOf(error)} onRetry={() => void refetch()} />
      ) : !checks ? (
        <LoadingRows label="Loading the history" rows={5} rowHeight={44} />
      ) : checks.length === 0 ? (
        <EmptyState>Nothing has been checked yet.</EmptyState>
      ) : (
        <>
          <ul className={classes["history"]} aria-label="Checks">
            {checks.map((check) => {
              const { title, details } = checkText(check);
              return (
                <li key={check.id}>
                  <time dateTime={new Date(check.checkedMs).toISOString()}>{localTime(check.checkedMs)}</time>
                  <div>
                    {title}
                    {details !== "" && <small>{details}</small>}
                  </div>
                </li>
              );
            })}
          </ul>
          <p className={classes["hint"]}>Times in {browserZone()}</p>
          {hasNextPage && (
            <Button variant="default" mt="sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              Load older checks
            </Button>
          )}
        </>
      )}
    </>
  );
}
