import { type AuditEvent, type AuditPage, auditing } from "@fairway/contract/audit";
import { gateway } from "./open-screen.tsx";

export const buildEvent = (index: number, overrides: Partial<AuditEvent> = {}): AuditEvent => ({
  id: String(index),
  responseCode: 200,
  method: "GET",
  path: "/api/favorite/datasets",
  username: "grace",
  requestTimeMs: 1_700_000_000_000 - index * 1_000,
  ipAddress: "127.0.0.1",
  client: { browser: "Unknown", operatingSystem: "Unknown", device: "Unknown" },
  details: { durationMs: 1, userId: "u-1", apiKey: null, route: "/favorite/datasets", userAgent: "" },
  ...overrides,
});

/** A page, counted from one, of all events that match. */
export const pageOfEvents = (events: readonly AuditEvent[], pageNumber = 1, pageSize = 100): AuditPage => ({
  content: events.slice((pageNumber - 1) * pageSize, pageNumber * pageSize),
  pageable: { pageNumber: pageNumber - 1, pageSize },
  last: events.length <= pageNumber * pageSize,
  totalElements: events.length,
  totalIsLowerBound: false,
});

/** Makes the gateway list these events, without choices for filters. */
export function serveEvents(events: readonly AuditEvent[]): void {
  gateway.answer(auditing.usernames, []);
  gateway.answer(auditing.responseCodes, []);
  gateway.answer(auditing.events, pageOfEvents(events));
}
