import { type AuditEvent, type AuditPage, auditing } from "@fairway/contract/audit";
import type { CallOf } from "@fairway/contract/route";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call, urlOf } from "#lib/gateway/call.ts";
import { readLocal, writeLocal } from "#lib/browser/local-storage.ts";

/** The filters as query parameters of the call. */
export type AuditQuery = Omit<NonNullable<CallOf<typeof auditing.events>["query"]>, "pageNumber">;

const backgroundKey = "fairway.audit.background";

/** Background reads are hidden unless this browser last showed them. */
export const initialFilters = (): AuditQuery => (readLocal(backgroundKey) === "shown" ? {} : { hideBackground: "true" });

export const rememberBackground = (hidden: boolean): void => writeLocal(backgroundKey, hidden ? "hidden" : "shown");

interface PageParam {
  readonly pageNumber: number;
  /** Time of the newest event on the first page, so later events do not shift further pages. */
  readonly to?: string;
}

const firstPage: PageParam = { pageNumber: 1 };

export const eventsQuery = (filters: AuditQuery) =>
  infiniteQueryOptions({
    queryKey: ["audit", "events", filters],
    queryFn: ({ pageParam: { pageNumber, to }, signal }) =>
      call(auditing.events, { query: { ...filters, ...(to === undefined ? {} : { to }), pageNumber: String(pageNumber) } }, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: (page: AuditPage, pages: AuditPage[]): PageParam | undefined => {
      const newest = pages[0]?.content[0];
      if (page.last || !newest) return undefined;
      return { pageNumber: page.pageable.pageNumber + 2, to: new Date(newest.requestTimeMs).toISOString() };
    },
    // Each visit loads the current log.
    gcTime: 0,
  });

/** The events of all pages without duplicates. */
export function eventsOf(pages: readonly AuditPage[]): AuditEvent[] {
  const byId = new Map<string, AuditEvent>();
  for (const { content } of pages) for (const event of content) byId.set(event.id, event);
  return [...byId.values()];
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
