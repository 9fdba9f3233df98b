import { isJsonObject } from "@fairway/contract/json";
import { summariesWithRoom } from "@fairway/contract/search-address";

// Loaded with the application, so the summaries are plain JSON here.

type Slice = Readonly<Record<string, unknown>>;

const listOf = (slice: unknown): readonly Slice[] => (Array.isArray(slice) ? slice.filter(isJsonObject) : []);

/** A summary as an address holds it: without its id in this tab, and without what is null. */
function addressed(summary: object): Slice {
  return Object.fromEntries(Object.entries(summary).filter(([key, value]: [string, unknown]) => key !== "id" && value !== null));
}

/** The summaries that an address has room for; undefined if there are none. */
export function addressOfSummaries(slice: unknown): readonly Slice[] | undefined {
  const fitting = summariesWithRoom(listOf(slice).map(addressed));
  return fitting.length === 0 ? undefined : fitting;
}

/** Those summaries of a search that its address has no room for. */
export function leftOutOfAddress<T extends object>(summaries: readonly T[]): T[] {
  const written = summaries.map((summary) => ({ summary, part: addressed(summary) }));
  const fitting = new Set(summariesWithRoom(written.map(({ part }) => part)));
  return written.flatMap(({ summary, part }) => (fitting.has(part) ? [] : [summary]));
}

/** The summaries of an address as the tab keeps them. Beyond the limits of addresses, nothing is drawn. */
export function summariesOfAddress(part: unknown): readonly Slice[] | undefined {
  const kept = summariesWithRoom(listOf(part));
  return kept.length === 0 ? undefined : kept.map(restored);
}

const restored = (summary: Slice, index: number): Slice => ({ title: null, chart: null, ...summary, id: `linked-${index + 1}` });
