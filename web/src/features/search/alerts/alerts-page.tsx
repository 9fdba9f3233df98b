import type { Alert } from "@fairway/contract/alerts";
import { pluralize } from "@fairway/contract/counts";
import { Button } from "@mantine/core";
import { IconBellRinging } from "#ui/icons/bell-ringing.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { pollInterval } from "#lib/live/live-changes.ts";
import { browserZone } from "#lib/time/time-zone.ts";
import { PageHeader } from "#ui/page-header.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import AlertDialog from "./alert-dialog.tsx";
import { AlertList } from "./alert-list.tsx";
import { AlertsTabs } from "./alerts-tabs.tsx";
import AlertHistoryDialog from "./history-dialog.tsx";
import { alertsQuery } from "./queries.ts";

/** Tabs are not notified of checks that change nothing. */
const refreshMs = 30_000;

/** `/alerts`: the saved searches that watch. */
export function AlertsPage() {
  const query = useQuery({
    ...alertsQuery,
    staleTime: 0,
    refetchInterval: () => Math.min(pollInterval(refreshMs), refreshMs),
  });
  const { data } = query;
  // The content of a dialog stays while it fades out.
  const [form, setForm] = useState<{ opened: boolean; alert: Alert | null }>({ opened: false, alert: null });
  const [history, setHistory] = useState<{ opened: boolean; alert: Alert | null }>({ opened: false, alert: null });
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setForm({ opened: true, alert: null })}>
      New alert
    </Button>
  );
  return (
    <>
      <PageHeader title="Alerts" subtitle={data ? `${pluralize(data.alerts.length, "alert")} · times in ${browserZone()}` : <>&nbsp;</>}>
        {data !== undefined && data.alerts.length > 0 && create}
      </PageHeader>
      <AlertsTabs />
      <QueryState
        query={query}
        loading={{ label: "Loading alerts", rowHeight: 64 }}
        failed="The alerts could not be loaded"
        empty={{
          title: "No alerts yet",
          icon: <IconBellRinging size={24} stroke={1.5} aria-hidden />,
          text: "An alert checks one of your saved searches and tells you when something changes. To watch a search, run it and choose Actions → Create Alert.",
          action: create,
        }}
        isEmpty={({ alerts }) => alerts.length === 0}
      >
        {({ alerts }) => (
          <AlertList
            alerts={alerts}
            onEdit={(alert) => setForm({ opened: true, alert })}
            onHistory={(alert) => setHistory({ opened: true, alert })}
          />
        )}
      </QueryState>
      <AlertDialog opened={form.opened} alert={form.alert} search={null} onClose={() => setForm({ ...form, opened: false })} />
      {history.alert && (
        <AlertHistoryDialog opened={history.opened} alert={history.alert} onClose={() => setHistory({ ...history, opened: false })} />
      )}
    </>
  );
}
