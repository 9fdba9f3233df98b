import { type Subscription, type SubscriptionDraft, subscriptions } from "@fairway/contract/subscriptions";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { queryClient } from "#lib/gateway/query-client.ts";

/** The user's own subscriptions. The key begins as that of alerts, whose live changes tell of both. */
export const subscriptionsQuery = queryOptions({
  queryKey: ["alerts", "subscriptions"],
  queryFn: ({ signal }) => call(subscriptions.list, {}, { signal }),
});

/** The deliveries of a subscription, newest first, page by page. */
export const deliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ["alerts", "subscriptions", id, "deliveries"],
    queryFn: ({ pageParam, signal }) =>
      call(subscriptions.deliveries, { params: { id }, query: pageParam === null ? {} : { before: pageParam } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ deliveries, hasMore }) => (hasMore ? (deliveries.at(-1)?.id ?? null) : null),
    staleTime: 0,
  });

const settle = () => queryClient.invalidateQueries({ queryKey: subscriptionsQuery.queryKey });

/** `id`: null for a new one. */
export async function saveSubscription(id: string | null, body: SubscriptionDraft): Promise<void> {
  await (id === null ? call(subscriptions.create, { body }) : call(subscriptions.edit, { params: { id }, body }));
  await settle();
}

export async function removeSubscription({ id }: Subscription): Promise<void> {
  await call(subscriptions.remove, { params: { id } });
  await settle();
}

export async function sendSubscription({ id }: Subscription): Promise<void> {
  await call(subscriptions.send, { params: { id } });
  await settle();
}
