import { useMemo } from "react";
import { summariesExtension } from "#features/search/search-extensions.ts";
import { findRecord } from "#parts/open-searches/records.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { sliceOf } from "#parts/search-model/search-extensions.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { titleOf } from "@fairway/contract/charts/measure-wording";
import { storedSummary, type StoredSummary } from "./summary.ts";

/** The summaries of an open search. Those that this version does not know are left out. */
export function useSummaries(record: SearchRecord): readonly StoredSummary[] {
  const slice = sliceOf(record, summariesExtension);
  return useMemo(() => summariesOf(slice), [slice]);
}

export function summariesOf(slice: unknown): readonly StoredSummary[] {
  if (!Array.isArray(slice)) return [];
  return slice.flatMap((one: unknown) => {
    const read = storedSummary.safeParse(one);
    return read.success ? [read.data] : [];
  });
}

export const titlesOf = (slice: unknown): string[] => summariesOf(slice).map(({ title, breakdown }) => title ?? titleOf(breakdown));

function setSummaries(searchId: string, change: (summaries: readonly StoredSummary[]) => readonly StoredSummary[]): void {
  const record = findRecord(searchId);
  if (record) openSearches.setSlice(searchId, summariesExtension, change(summariesOf(sliceOf(record, summariesExtension))));
}

/** Adds those that are not there already, at the end. */
export const addSummaries = (searchId: string, added: readonly StoredSummary[]): void =>
  setSummaries(searchId, (summaries) => [...summaries, ...added.filter(({ id }) => summaries.every((one) => one.id !== id))]);

export const saveSummary = (searchId: string, summary: StoredSummary): void =>
  setSummaries(searchId, (summaries) => summaries.map((other) => (other.id === summary.id ? summary : other)));

export const insertSummary = (searchId: string, summary: StoredSummary): void =>
  setSummaries(searchId, (summaries) => [...summaries, summary]);

/** Removes a summary. Returns what brings it back to its place. */
export function removeSummary(searchId: string, id: string): () => void {
  let removed: { at: number; summary: StoredSummary } | null = null;
  setSummaries(searchId, (summaries) => {
    const at = summaries.findIndex((one) => one.id === id);
    const summary = summaries[at];
    if (summary === undefined) return summaries;
    removed = { at, summary };
    return summaries.toSpliced(at, 1);
  });
  return () => {
    if (removed === null) return;
    const { at, summary } = removed;
    setSummaries(searchId, (summaries) => summaries.toSpliced(at, 0, summary));
  };
}
