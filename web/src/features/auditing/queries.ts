import { type AuditEvent, type AuditPage, auditing } from "@fairway/contract/audit";
import type { CallOf } from "@fairway/contract/route";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call, urlOf } from "#lib/call.ts";

/** As the call takes them. */
export type AuditQuery = Omit<NonNullable<CallOf<typeof auditing.events>["query"]>, "pageNumber">;

interface PageParam {
  readonly pageNumber: number;
  /** The newest event of the first page: what happens afterwards does not shift the others. */
  readonly to?: string;
}

const first: PageParam = { pageNumber: 1 };

export const eventsQuery = (filters: AuditQuery) =>
  infiniteQueryOptions({
    queryKey: ["audit", "events", filters],
    queryFn: ({ pageParam: { pageNumber, to }, signal }) =>
      call(auditing.events, { query: { ...filters, ...(to === undefined ? {} : { to }), pageNumber: String(pageNumber) } }, { signal }),
    initialPageParam: first,
    getNextPageParam: (page: AuditPage, pages: AuditPage[]): PageParam | undefined => {
      const newest = pages[0]?.content[0];
      if (page.last || !newest) return undefined;
      return { pageNumber: page.pageable.pageNumber + 2, to: new Date(newest.requestTimeMs).toISOString() };
    },
    // An old log is of no use: each visit reads it anew.
    gcTime: 0,
  });

/** Each event once, whatever happened between two pages. */
export function eventsOf(pages: readonly AuditPage[]): AuditEvent[] {
  const known = new Map<string, AuditEvent>();
  for (const { content } of pages) for (const event of content) known.set(event.id, event);
  return [...known.values()];
}

export const usernamesQuery = queryOptions({
  queryKey: ["audit", "usernames"],
  queryFn: ({ signal }) => call(auditing.usernames, {}, { signal }),
  gcTime: 0,
});

export const responseCodesQuery = queryOptions({
  queryKey: ["audit", "codes"],
  queryFn: ({ signal }) => call(auditing.responseCodes, {}, { signal }),
  gcTime: 0,
});

export const exportUrl = (filters: AuditQuery, format: "csv" | "json"): string => urlOf(auditing.export, {}, { ...filters, format });
