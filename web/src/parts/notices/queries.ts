import { type Notice, notices } from "@fairway/contract/notices";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/call.ts";

/** The notices for this user, newest first. */
export const noticesQuery = queryOptions({
  queryKey: ["notices"],
  queryFn: ({ signal }) => call(notices.list, {}, { signal }),
  staleTime: 0,
});

/** Those that the user has not viewed yet, newest first. */
export const newNotices = (signal: AbortSignal): Promise<Notice[]> => call(notices.fresh, {}, { signal });

export async function markViewed(ids: readonly string[]): Promise<void> {
  await call(notices.viewed, { body: [...ids] });
}
