import { assistantAdministration, type AssistantUse, assistantUseDays } from "@fairway/contract/assistants";
import { Switch } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/call.ts";
import { utcText } from "#lib/dates.ts";
import { messagesOf } from "#lib/gateway-error.ts";
import { queryClient } from "#lib/query-client.ts";
import { EmptyState, ErrorState, LoadingRows } from "#ui/states.tsx";
import { toastError, toastSuccess } from "#ui/toast.ts";
import classes from "./assistants.module.css";

const usesQuery = queryOptions({
  queryKey: ["admin", "assistants"],
  queryFn: ({ signal }) => call(assistantAdministration.uses, {}, { signal }),
  staleTime: 0,
});

/** For administrators: whether assistants may use the portal, and how they do. */
export function AssistantUses() {
  const query = useQuery(usesQuery);
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
      {query.isPending ? (
        <LoadingRows label="Loading assistant usage" rows={3} />
      ) : query.data === undefined ? (
        <ErrorState message="Failed to load assistant usage" details={messagesOf(query.error)} onRetry={() => void query.refetch()} />
      ) : (
        <>
          <Switch
            label="Allow assistants to use this portal"
            checked={query.data.enabled}
            disabled={saving}
            onChange={({ currentTarget }) => void allow(currentTarget.checked)}
          />
          <h3>Usage in the last {assistantUseDays} days</h3>
          {query.data.uses.length === 0 ? (
            <EmptyState>No assistant has used the portal yet.</EmptyState>
          ) : (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
            <div className={classes["scrollable"]} tabIndex={0} role="region" aria-label="Assistant usage">
              <table className={classes["table"]}>
                <thead>
                  <tr>
                    {["Owner", "API key", "Calls", "Refused", "Tools", "Last used"].map((name) => (
                      <th key={name} scope="col" data-number={name === "Calls" || name === "Refused" || undefined}>
                        {name}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {query.data.uses.map((use) => (
                    <tr key={use.apiKeyId}>
                      <td>{use.owner}</td>
                      <td>{use.apiKeyName}</td>
                      <td data-number>{total(use, "calls").toLocaleString("en-US")}</td>
                      <td data-number>{total(use, "refused").toLocaleString("en-US")}</td>
                      <td>
                        {use.tools.map(({ name, calls }) => (
                          <span key={name} className={classes["tool"]}>
                            {name} {calls.toLocaleString("en-US")}
                          </span>
                        ))}
                      </td>
                      <td className={classes["nowrap"]}>{dayText(use.lastDay)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </>
      )}
    </section>
  );
}

const total = ({ tools }: AssistantUse, figure: "calls" | "refused"): number => tools.reduce((sum, tool) => sum + tool[figure], 0);

/** As elsewhere: MM/DD/YYYY for days of UTC. */
const dayText = (day: string): string => utcText(Date.parse(day))?.split(",")[0] ?? day;
