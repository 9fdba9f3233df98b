import type { AuditEvent, AuditFilters } from "@fairway/contract/audit";
import { guardedText } from "@fairway/contract/formula-text";
import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import { TimeSlice } from "#threads/time-slice.ts";
import { spansOf } from "./days.ts";
import { countDays, questionOf, readSpan, reading } from "./pages.ts";

const chunkEvents = 2_000;

export interface AuditExport {
  /** Whether more events match than the export holds. */
  readonly cut: boolean;
  /** Newest first. No transaction stays open while the reader takes its time. */
  readonly chunks: AsyncGenerator<AuditEvent[]>;
}

export async function exportEvents(db: Kysely<Database>, filters: AuditFilters, maxEvents: number): Promise<AuditExport> {
  // What happens from now on, such as this very call, is not part of it.
  const asked = questionOf({ ...filters, to: filters.to ?? new Date().toISOString() });
  const days = await reading(db, (trx) => countDays(trx, asked));
  const total = days.reduce((sum, { events }) => sum + events, 0);
  async function* chunks(): AsyncGenerator<AuditEvent[]> {
    let left = Math.min(total, maxEvents);
    for (const span of spansOf(days, chunkEvents)) {
      let last = asked.last;
      for (let ofSpan = span.events; ofSpan > 0 && left > 0;) {
        const limit = Math.min(chunkEvents, left);
        const from = { ...asked, last };
        const events = await reading(db, (trx) => readSpan(trx, from, span, limit));
        if (events.length > 0) yield events;
        left -= events.length;
        ofSpan = events.length < limit ? 0 : ofSpan - events.length;
        last = BigInt(events.at(-1)?.id ?? 0) - 1n;
      }
    }
  }
  return { cut: total > maxEvents, chunks: chunks() };
}

/** Events that are written at once; whoever waits meanwhile has their turn then. */
const writtenAtOnce = 200;

async function* inParts(chunks: AsyncIterable<AuditEvent[]>): AsyncGenerator<AuditEvent[]> {
  const slice = new TimeSlice();
  for await (const events of chunks) {
    for (let from = 0; from < events.length; from += writtenAtOnce) {
      await slice.end();
      yield events.slice(from, from + writtenAtOnce);
    }
  }
}

const columns: readonly (readonly [name: string, of: (event: AuditEvent) => string | number])[] = [
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

/** RFC 4180, with a header. */
export async function* csvOf(chunks: AsyncIterable<AuditEvent[]>): AsyncGenerator<string> {
  yield `${columns.map(([name]) => name).join(",")}\r\n`;
  for await (const events of inParts(chunks)) {
    yield events.map((event) => `${columns.map(([, of]) => cell(of(event))).join(",")}\r\n`).join("");
  }
}

export async function* jsonOf(chunks: AsyncIterable<AuditEvent[]>): AsyncGenerator<string> {
  let between = "[";
  for await (const events of inParts(chunks)) {
    yield between + events.map((event) => JSON.stringify(event)).join(",\n");
    between = ",\n";
  }
  yield between === "[" ? "[]\n" : "]\n";
}

function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = guardedText(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
