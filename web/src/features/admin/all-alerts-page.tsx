import { alertAdministration, alertLimits, conditionText, intervalText, type OwnedAlert } from "@fairway/contract/alerts";
import { formatCount, pluralize } from "@fairway/contract/counts";
import { Button, Textarea } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { call } from "#lib/call.ts";
import { messagesOf } from "#lib/gateway-error.ts";
import { localTime, localZone } from "#lib/local-time.ts";
import { queryClient } from "#lib/query-client.ts";
import { UsersTabs } from "#parts/users-tabs/users-tabs.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { RestoredNote, useKeptDraft } from "#ui/kept-draft.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { SaveForm, useSaving } from "#ui/save-form.tsx";
import { EmptyState, ErrorState, LoadingRows } from "#ui/states.tsx";
import { toastSuccess } from "#ui/toast.ts";
import { useUnsavedChanges } from "#ui/unsaved-changes.tsx";
import classes from "./all-keys.module.css";

const alertsQuery = queryOptions({
  queryKey: ["admin", "alerts"],
  queryFn: ({ signal }) => call(alertAdministration.list, {}, { signal }),
  staleTime: 0,
});

/** The alerts of all users, with what their checks took. */
export function AllAlertsPage() {
  const query = useQuery(alertsQuery);
  // What is shown stays while the dialog fades out.
  const [ending, setEnding] = useState<{ opened: boolean; alert: OwnedAlert } | null>(null);
  const { data } = query;
  const cost = data && `${pluralize(data.checks, "check")} in 24 hours took ${secondsText(data.durationMs)}`;
  return (
    <>
      <PageHeader title="Alerts of all users" subtitle={[...(cost ? [cost] : []), `times in ${localZone()}`].join(" · ")} />
      <UsersTabs />
      {query.isPending ? (
        <LoadingRows label="Loading alerts" rows={10} />
      ) : data === undefined ? (
        <ErrorState message="Failed to load alerts" details={messagesOf(query.error)} onRetry={() => void query.refetch()} />
      ) : data.alerts.length === 0 ? (
        <EmptyState>No alerts yet. Users create them from their searches.</EmptyState>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
        <div className={classes["table"]} tabIndex={0} role="region" aria-label="Alerts">
          <table>
            <thead>
              <tr>
                {[
                  "Owner",
                  "Name",
                  "Dataset",
                  "Condition",
                  "State",
                  "Checked",
                  "Checks in 24 h",
                  "Failed",
                  "Time taken",
                  "Last checked",
                ].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.alerts.map((alert) => (
                <AlertRow key={alert.id} alert={alert} onEnd={() => setEnding({ opened: true, alert })} />
              ))}
            </tbody>
          </table>
          {data.total > data.alerts.length && <p>{`${formatCount(data.total - data.alerts.length)} more alerts took less time.`}</p>}
        </div>
      )}
      {ending && (
        <Dialog
          opened={ending.opened}
          onClose={() => setEnding({ ...ending, opened: false })}
          title={`End ${ending.alert.name} of ${ending.alert.owner.username}?`}
        >
          <EndForm key={ending.alert.id} alert={ending.alert} onClose={() => setEnding({ ...ending, opened: false })} />
        </Dialog>
      )}
    </>
  );
}

const stateText = { new: "Not checked yet", ok: "OK", firing: "Firing", snoozed: "Snoozed", paused: "Paused" } as const;

function AlertRow({ alert, onEnd }: { alert: OwnedAlert; onEnd: () => void }) {
  const { name, owner, dataset, condition, state, isEnded, reason, everyMinutes, checks, failed, durationMs, lastCheckedMs } = alert;
  return (
    <tr>
      <td className={classes["nowrap"]}>
        {owner.username}
        {owner.locked && <span className={classes["muted"]}> locked</span>}
      </td>
      <td>{name}</td>
      <td>{dataset.datasetId}</td>
      <td>{conditionText(condition)}</td>
      <td>
        {isEnded ? "Ended" : stateText[state]}
        {reason !== "" && <span className={classes["muted"]}>: {reason}</span>}
      </td>
      <td className={classes["nowrap"]}>{intervalText(everyMinutes)}</td>
      <td className={classes["nowrap"]}>{formatCount(checks)}</td>
      <td className={classes["nowrap"]}>{formatCount(failed)}</td>
      <td className={classes["nowrap"]}>{secondsText(durationMs)}</td>
      <td className={classes["nowrap"]}>{lastCheckedMs === null ? "never" : localTime(lastCheckedMs)}</td>
      <td>
        {!isEnded && (
          <Button variant="default" size="xs" aria-haspopup="dialog" aria-label={`End ${name} of ${owner.username}`} onClick={onEnd}>
            End
          </Button>
        )}
      </td>
    </tr>
  );
}

/** Waiting for the engine included. */
const secondsText = (ms: number): string => `${formatCount(Math.round(ms / 100) / 10)} s`;

function EndForm({ alert, onClose }: { alert: OwnedAlert; onClose: () => void }) {
  const draftName = `end alert ${alert.id}`;
  const kept = useKeptDraft(draftName, z.string());
  const [reason, setReason] = useState(kept ?? "");
  const { saving, run } = useSaving();
  const [failure, setFailure] = useState<readonly string[]>([]);
  useUnsavedChanges(reason.trim() !== "", { draft: { name: draftName, value: reason } });
  const end = async () => {
    await call(alertAdministration.end, { params: { id: alert.id }, body: { reason: reason.trim() } });
    toastSuccess("Alert ended", 1_200);
    onClose();
    await queryClient.invalidateQueries(alertsQuery);
  };
  return (
    <SaveForm
      canSave={reason.trim() !== ""}
      saving={saving}
      saveLabel="End alert"
      failure={failure}
      onSave={() => {
        setFailure([]);
        void run(end, (error) => setFailure(messagesOf(error)));
      }}
      onCancel={onClose}
    >
      <RestoredNote when={kept !== undefined} />
      <Textarea
        label="Reason"
        description="The owner is notified with this reason. The alert cannot be resumed."
        required
        data-autofocus
        rows={3}
        value={reason}
        maxLength={alertLimits.reasonCharacters}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </SaveForm>
  );
}
