import { alertAdministration } from "@fairway/contract/alerts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { queryClient } from "#lib/gateway/query-client.ts";

export const allAlertsQuery = queryOptions({
  queryKey: ["admin", "alerts"],
  queryFn: ({ signal }) => call(alertAdministration.list, {}, { signal }),
  staleTime: 0,
});

export const endAlert = (id: string, reason: string): Promise<unknown> =>
  call(alertAdministration.end, { params: { id }, body: { reason } });

export const reloadAllAlerts = (): Promise<void> => queryClient.invalidateQueries(allAlertsQuery);
