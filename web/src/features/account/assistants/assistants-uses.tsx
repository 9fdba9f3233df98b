import { assistantAdministration, type AssistantUse, assistantUseDays } from "@fairway/contract/assistants";
import { Switch } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { utcText } from "@fairway/contract/utc-texts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { DataTable, type TableColumn } from "#ui/kit/data-table.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { EmptyState } from "#ui/states.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import classes from "./assistants.module.css";

const usesQuery = queryOptions({
  queryKey: ["admin", "assistants"],
  queryFn: ({ signal }) => call(assistantAdministration.uses, {}, { signal }),
  staleTime: 0,
});

const columns: readonly TableColumn<AssistantUse>[] = [
  { id: "owner", header: "Owner", cell: ({ owner }) => owner },
  { id: "key", header: "API key", cell: ({ apiKeyName }) => apiKeyName },
  { id: "calls", header: "Calls", align: "end", tabular: true, cell: (use) => total(use, "calls").toLocaleString("en-US") },
  { id: "refused", header: "Refused", align: "end", tabular: true, cell: (use) => total(use, "refused").toLocaleString("en-US") },
  {
    id: "tools",
    header: "Tools",
    cell: ({ tools }) =>
      tools.map(({ name, calls }) => (
        <span key={name} className={classes["tool"]}>
          {name} {calls.toLocaleString("en-US")}
        </span>
      )),
  },
  { id: "lastUsed", header: "Last used", nowrap: true, cell: ({ lastDay }) => dayText(lastDay) },
];

/** For administrators: whether assistants may use the portal, and how they do. */
export function AssistantUses() {
  const [saving, setSaving] = useState(false);
  const allow = async (enabled: boolean) => {
    setSaving(true);
    try {
      await call(assistantAdministration.allow, { body: { enabled } });
      await Promise.all([queryClient.invalidateQueries(usesQuery), queryClient.invalidateQueries({ queryKey: ["assistants"] })]);
      toastSuccess(enabled ? "Assistants allowed" : "Assistants not allowed", 1200);
    } catch (error) {
      toastError("Save Failed", messagesOf(error).join(" "));
    } finally {
      setSaving(false);
    }
  };
  return (
    <section aria-label="Administration">
      <h2>Administration</h2>
      <QueryState
        query={useQuery(usesQuery)}
        loading={{ label: "Loading assistant usage", rows: 3 }}
        failed="Failed to load assistant usage"
      >
        {({ enabled, uses }) => (
          <>
            <Switch
              label="Allow assistants to use this portal"
              checked={enabled}
              disabled={saving}
              onChange={({ currentTarget }) => void allow(currentTarget.checked)}
            />
            <h3>Usage in the last {assistantUseDays} days</h3>
            {uses.length === 0 ? (
              <EmptyState>No assistant has used the portal yet.</EmptyState>
            ) : (
              <DataTable
                columns={columns}
                rows={uses}
                rowKey={({ apiKeyId }) => apiKeyId}
                scroll={{ role: "region", label: "Assistant usage" }}
                edges="flush"
              />
            )}
          </>
        )}
      </QueryState>
    </section>
  );
}

const total = ({ tools }: AssistantUse, figure: "calls" | "refused"): number => tools.reduce((sum, tool) => sum + tool[figure], 0);

/** As elsewhere: MM/DD/YYYY for days of UTC. */
const dayText = (day: string): string => utcText(Date.parse(day))?.split(",")[0] ?? day;
