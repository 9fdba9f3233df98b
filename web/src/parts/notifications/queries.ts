import { type NotificationPage, notifications } from "@fairway/contract/notifications";
import { infiniteQueryOptions, type InfiniteData, QueryObserver, queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { onLiveChange, pollInterval, useLive } from "#lib/live/live-changes.ts";
import { logFailure } from "#lib/browser/log.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { useUnreadNotifications } from "#lib/live/unread-notifications.ts";

const pollIntervalMs = 60_000;

async function readPage(before: string | undefined, signal: AbortSignal): Promise<NotificationPage> {
  const page = await call(notifications.list, { query: before === undefined ? {} : { before } }, { signal });
  useUnreadNotifications.setState({ unread: page.unread });
  return page;
}

const unreadQuery = queryOptions({
  queryKey: ["notifications", "unread"],
  queryFn: async ({ signal }) => (await readPage(undefined, signal)).unread,
  gcTime: 0,
});

/** Pages of the user's notifications, newest first. */
export const notificationsQuery = infiniteQueryOptions({
  queryKey: ["notifications", "pages"],
  queryFn: ({ signal, pageParam }) => readPage(pageParam === "" ? undefined : pageParam, signal),
  initialPageParam: "",
  getNextPageParam: ({ notifications: page, hasMore }) => (hasMore ? page.at(-1)?.id : undefined),
  staleTime: 0,
  gcTime: 0,
});

/**
 * Reads the number of unread notifications now and when it changes; without live changes once a minute, while the tab is visible. Returns
 * the function that stops it.
 */
export function watchUnread(): () => void {
  const options = () => ({ ...unreadQuery, refetchInterval: pollInterval(pollIntervalMs), refetchOnWindowFocus: true });
  const observer = new QueryObserver(queryClient, options());
  let failedAt = 0;
  const stops = [
    observer.subscribe(({ error, errorUpdatedAt }) => {
      if (error === null || errorUpdatedAt === failedAt) return;
      failedAt = errorUpdatedAt;
      logFailure("The notifications could not be loaded", error);
    }),
    useLive.subscribe(() => observer.setOptions(options())),
    // The count, and the pages that are shown.
    onLiveChange("notifications", () => void queryClient.invalidateQueries({ queryKey: ["notifications"] })),
  ];
  return () => stops.forEach((stop) => stop());
}

/** Marks some notifications as read, or all of them. */
export async function markRead(ids: readonly string[] | "all"): Promise<void> {
  const { unread } = await call(notifications.read, { body: ids === "all" ? { all: true } : { ids: [...ids] } });
  useUnreadNotifications.setState({ unread });
  const isMarked = (id: string) => ids === "all" || ids.includes(id);
  queryClient.setQueryData<InfiniteData<NotificationPage, string>>(
    notificationsQuery.queryKey,
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          unread,
          notifications: page.notifications.map((one) => (isMarked(one.id) ? { ...one, isRead: true } : one)),
        })),
      },
  );
}
