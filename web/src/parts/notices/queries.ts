import { type Notice, notices } from "@fairway/contract/notices";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";

/** The notices for this user, newest first. */
export const noticesQuery = queryOptions({
  queryKey: ["notices"],
  queryFn: ({ signal }) => call(notices.list, {}, { signal }),
  staleTime: 0,
});

/** The notices that this user has not viewed yet, newest first. */
export const fetchNewNotices = (signal: AbortSignal): Promise<Notice[]> => call(notices.fresh, {}, { signal });

export async function markViewed(ids: readonly string[]): Promise<void> {
  await call(notices.viewed, { body: [...ids] });
}
