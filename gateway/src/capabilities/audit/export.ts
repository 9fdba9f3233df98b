import type { AuditEvent, AuditFilters } from "@fairway/contract/audit";
import { escapeFormula } from "@fairway/contract/formula-text";
import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import { TimeSlice } from "#threads/time-slice.ts";
import { spansOf } from "./days.ts";
import { countDays, queryOf, readSpan, inSnapshot } from "./pages.ts";

const chunkEvents = 2_000;

export interface AuditExport {
  /** Whether more events match than the export contains. */
  readonly cut: boolean;
  /** Newest first. No transaction stays open between chunks. */
  readonly chunks: AsyncGenerator<AuditEvent[]>;
}

export async function exportEvents(db: Kysely<Database>, filters: AuditFilters, maxEvents: number): Promise<AuditExport> {
  // Excludes events from now on, such as this call.
  const query = queryOf({ ...filters, to: filters.to ?? new Date().toISOString() });
  const days = await inSnapshot(db, (trx) => countDays(trx, query));
  const total = days.reduce((sum, { events }) => sum + events, 0);
  async function* chunks(): AsyncGenerator<AuditEvent[]> {
    let left = Math.min(total, maxEvents);
    for (const span of spansOf(days, chunkEvents)) {
      let last = query.last;
      for (let leftInSpan = span.events; leftInSpan > 0 && left > 0;) {
        const limit = Math.min(chunkEvents, left);
        const from = { ...query, last };
        const events = await inSnapshot(db, (trx) => readSpan(trx, from, span, limit));
        if (events.length > 0) yield events;
        left -= events.length;
        leftInSpan = events.length < limit ? 0 : leftInSpan - events.length;
        last = BigInt(events.at(-1)?.id ?? 0) - 1n;
      }
    }
  }
  return { cut: total > maxEvents, chunks: chunks() };
}

/** Events serialized before yielding to the event loop. */
const eventsPerPart = 200;

async function* splitIntoParts(chunks: AsyncIterable<AuditEvent[]>): AsyncGenerator<AuditEvent[]> {
  const slice = new TimeSlice();
  for await (const events of chunks) {
    for (let from = 0; from < events.length; from += eventsPerPart) {
      await slice.end();
      yield events.slice(from, from + eventsPerPart);
    }
  }
}

const columns: readonly (readonly [name: string, read: (event: AuditEvent) => string | number])[] = [
  ["id", ({ id }) => id],
  ["time", ({ requestTimeMs }) => new Date(requestTimeMs).toISOString()],
  ["responseCode", ({ responseCode }) => responseCode],
  ["method", ({ method }) => method],
  ["path", ({ path }) => path],
  ["username", ({ username }) => username],
  ["ipAddress", ({ ipAddress }) => ipAddress],
  ["browser", ({ client }) => client.browser],
  ["operatingSystem", ({ client }) => client.operatingSystem],
  ["device", ({ client }) => client.device],
  ["durationMs", ({ details }) => details.durationMs],
  ["userId", ({ details }) => details.userId ?? ""],
  ["apiKey", ({ details }) => details.apiKey ?? ""],
  ["route", ({ details }) => details.route],
  ["userAgent", ({ details }) => details.userAgent],
];

/** CSV as of RFC 4180, with a header. */
export async function* csvOf(chunks: AsyncIterable<AuditEvent[]>): AsyncGenerator<string> {
  yield `${columns.map(([name]) => name).join(",")}\r\n`;
  for await (const events of splitIntoParts(chunks)) {
    yield events.map((event) => `${columns.map(([, read]) => cell(read(event))).join(",")}\r\n`).join("");
  }
}

export async function* jsonOf(chunks: AsyncIterable<AuditEvent[]>): AsyncGenerator<string> {
  let separator = "[";
  for await (const events of splitIntoParts(chunks)) {
    yield separator + events.map((event) => JSON.stringify(event)).join(",\n");
    separator = ",\n";
  }
  yield separator === "[" ? "[]\n" : "]\n";
}

function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = escapeFormula(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
