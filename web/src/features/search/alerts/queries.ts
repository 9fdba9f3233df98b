import { type Alert, type AlertDraft, alerts } from "@fairway/contract/alerts";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { webhookText } from "./alert-text.ts";

/** The user's own alerts. */
export const alertsQuery = queryOptions({
  queryKey: ["alerts"],
  queryFn: ({ signal }) => call(alerts.list, {}, { signal }),
});

/** The checks of an alert, newest first, page by page. */
export const historyQuery = (id: string, onlyChanges: boolean) =>
  infiniteQueryOptions({
    queryKey: ["alerts", id, "history", onlyChanges],
    queryFn: ({ pageParam, signal }) =>
      call(
        alerts.history,
        { params: { id }, query: { changes: onlyChanges ? "true" : "false", ...(pageParam === null ? {} : { before: pageParam }) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ checks, hasMore }) => (hasMore ? (checks.at(-1)?.id ?? null) : null),
    staleTime: 0,
  });

const settle = () => queryClient.invalidateQueries({ queryKey: alertsQuery.queryKey });

/** `id`: null for a new one. Answers the secret of a new webhook address; null without one. */
export async function saveAlert(id: string | null, body: AlertDraft): Promise<string | null> {
  const { webhookSecret } = await (id === null ? call(alerts.create, { body }) : call(alerts.edit, { params: { id }, body }));
  await settle();
  return webhookSecret;
}

export async function removeAlert({ id }: Alert): Promise<void> {
  await call(alerts.remove, { params: { id } });
  await settle();
}

/** `minutes`: null to end it. */
export async function snoozeAlert({ id }: Alert, minutes: number | null): Promise<void> {
  await call(alerts.snooze, { params: { id }, body: { minutes } });
  await settle();
}

export async function pauseAlert({ id }: Alert, paused: boolean): Promise<void> {
  await call(alerts.pause, { params: { id }, body: { paused } });
  await settle();
}

export async function checkAlert({ id }: Alert): Promise<void> {
  await call(alerts.check, { params: { id } });
  await settle();
}

/** Rejects if the webhook did not take the message. */
export async function testAlert({ id }: Alert): Promise<void> {
  const { webhookProblem } = await call(alerts.test, { params: { id } });
  await settle();
  if (webhookProblem !== null) throw new Error(webhookText(webhookProblem));
}
