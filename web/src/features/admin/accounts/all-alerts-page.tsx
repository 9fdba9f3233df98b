import { alertLimits, conditionText, intervalText, type OwnedAlert } from "@fairway/contract/alerts";
import { formatCount, pluralize } from "@fairway/contract/counts";
import { Text, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { localTime } from "#lib/time/local-time.ts";
import { browserZone } from "#lib/time/time-zone.ts";
import { UsersTabs } from "#parts/users-tabs/users-tabs.tsx";
import type { TableColumn } from "#ui/kit/data-table.tsx";
import { FormDialog } from "#ui/kit/form-dialog.tsx";
import { ListScreen } from "#ui/kit/list-screen.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { useLastShown } from "#ui/use-last-shown.ts";
import { allAlertsQuery, endAlert, reloadAllAlerts } from "./all-alerts-queries.ts";
import { OwnerName } from "./owner-name.tsx";

const stateText = { new: "Not checked yet", ok: "OK", firing: "Firing", snoozed: "Snoozed", paused: "Paused" } as const;
const figure = { nowrap: true, tabular: true };

const columns: readonly TableColumn<OwnedAlert>[] = [
  { id: "owner", header: "Owner", cell: OwnerName, ...figure },
  { id: "name", header: "Name", cell: ({ name }) => name },
  { id: "dataset", header: "Dataset", cell: ({ dataset }) => dataset.datasetId },
  { id: "condition", header: "Condition", cell: ({ condition }) => conditionText(condition) },
  {
    id: "state",
    header: "State",
    cell: ({ isEnded, state, reason }) => (
      <>
        {isEnded ? "Ended" : stateText[state]}
        {reason !== "" && (
          <Text span inherit c="var(--text-3)">
            : {reason}
          </Text>
        )}
      </>
    ),
  },
  { id: "checked", header: "Checked", cell: ({ everyMinutes }) => intervalText(everyMinutes), ...figure },
  { id: "checks", header: "Checks in 24 h", cell: ({ checks }) => formatCount(checks), ...figure },
  { id: "failed", header: "Failed", cell: ({ failed }) => formatCount(failed), ...figure },
  { id: "taken", header: "Time taken", cell: ({ durationMs }) => secondsText(durationMs), ...figure },
  {
    id: "lastChecked",
    header: "Last checked",
    cell: ({ lastCheckedMs }) => (lastCheckedMs === null ? "never" : localTime(lastCheckedMs)),
    ...figure,
  },
];

/** The alerts of all users, with what their checks took. */
export function AllAlertsPage() {
  const query = useQuery(allAlertsQuery);
  const [ending, setEnding] = useState<OwnedAlert | null>(null);
  const ended = useLastShown(ending);
  const { data } = query;
  const cost = data && `${pluralize(data.checks, "check")} in 24 hours took ${secondsText(data.durationMs)}`;
  return (
    <>
      <ListScreen
        title="Alerts of all users"
        subtitle={[...(cost ? [cost] : []), `times in ${browserZone()}`].join(" · ")}
        query={query}
        loading={{ label: "Loading alerts", rows: 10 }}
        failed="Failed to load alerts"
        empty={{ text: "No alerts yet. Users create them from their searches." }}
        rowsOf={({ alerts }) => alerts}
        table={{
          columns,
          rowKey: ({ id }) => id,
          scroll: { role: "region", label: "Alerts", fills: true },
          rowActions: {
            header: "Actions",
            of: (alert) =>
              alert.isEnded
                ? []
                : [
                    {
                      label: `End ${alert.name} of ${alert.owner.username}`,
                      text: "End",
                      opensDialog: true,
                      run: () => setEnding(alert),
                    },
                  ],
          },
          edges: "page",
          head: "panel",
          phonePx: 1100,
        }}
        cutNote={({ alerts, total }) =>
          total > alerts.length ? `${formatCount(total - alerts.length)} more alerts took less time.` : undefined
        }
      >
        <UsersTabs />
      </ListScreen>
      {ended && (
        <FormDialog
          opened={ending !== null}
          onClose={() => setEnding(null)}
          title={`End ${ended.name} of ${ended.owner.username}?`}
          initial={{ reason: "" }}
          isTyped={hasReason}
          draft={{ name: `end alert ${ended.id}`, schema: z.object({ reason: z.string() }) }}
          canSave={hasReason}
          saveLabel="End alert"
          save={async ({ reason }) => {
            await endAlert(ended.id, reason.trim());
            toastSuccess("Alert ended", 1_200);
            setEnding(null);
            await reloadAllAlerts();
          }}
        >
          {({ field }) => (
            <Textarea
              label="Reason"
              description="The owner is notified with this reason. The alert cannot be resumed."
              required
              data-autofocus
              rows={3}
              {...field("reason")}
              maxLength={alertLimits.reasonCharacters}
            />
          )}
        </FormDialog>
      )}
    </>
  );
}

const hasReason = ({ reason }: { reason: string }): boolean => reason.trim() !== "";

/** Waiting for the engine included. */
const secondsText = (ms: number): string => `${formatCount(Math.round(ms / 100) / 10)} s`;
