import type { Alert } from "@fairway/contract/alerts";
import { Button, Checkbox } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { localTime } from "#lib/time/local-time.ts";
import { browserZone } from "#lib/time/time-zone.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { checkText } from "./alert-text.ts";
import { historyQuery } from "./queries.ts";
import classes from "./alerts.module.css";

export interface AlertHistoryDialogProps {
  opened: boolean;
  alert: Alert;
  onClose: () => void;
}

/** Results of the checks of an alert. */
export default function AlertHistoryDialog({ opened, alert, onClose }: AlertHistoryDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={`History of ${alert.name}`}>
      <History key={alert.id} alert={alert} />
    </Dialog>
  );
}

function History({ alert }: { alert: Alert }) {
  const [onlyChanges, setOnlyChanges] = useState(true);
  const query = useInfiniteQuery(historyQuery(alert.id, onlyChanges));
  const { hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const checks = query.data?.pages.flatMap((page) => page.checks) ?? [];
  return (
    <>
      <Checkbox
        label="Only changes and messages"
        checked={onlyChanges}
        data-autofocus
        onChange={(event) => setOnlyChanges(event.currentTarget.checked)}
      />
      <QueryState
        query={query}
        loading={{ label: "Loading the history", rows: 5, rowHeight: 44 }}
        failed="The history could not be loaded"
        empty={{ text: "Nothing has been checked yet." }}
        isEmpty={() => checks.length === 0}
      >
        {() => (
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
      </QueryState>
    </>
  );
}
