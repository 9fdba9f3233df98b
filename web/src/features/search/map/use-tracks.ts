import type { ResultRow } from "@fairway/contract/search";
import { useEffect, useState } from "react";
import { fetchTracks } from "#features/search/map/model/map-calls.ts";
import type { MapItemList } from "#features/search/map/model/map-items.ts";
import { useMapResults } from "#features/search/map/model/map-results.ts";
import { hasPath } from "#features/search/map/model/path-model.ts";
import { type Tracks, tracksOf } from "#features/search/map/model/tracks.ts";
import { logFailure } from "#lib/browser/log.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";

/** By the rows of their items, so that they are released together. */
const loaded = new WeakMap<readonly ResultRow[], Tracks>();
const noTracks: Tracks = new Map();

/** The tracks of all items while they are shown. Hiding them or leaving the map cancels loading; a failure leaves them out. */
export function useTracks(record: SearchRecord, list: MapItemList, isShown: boolean): { tracks: Tracks; isLoading: boolean } {
  const { items } = useMapResults(record);
  const isWanted = isShown && items !== null && list.items.some(hasPath);
  const [settled, setSettled] = useState<{ readonly items: readonly ResultRow[]; readonly tracks: Tracks } | null>(null);
  const known = items === null ? undefined : (loaded.get(items) ?? (settled?.items === items ? settled.tracks : undefined));
  const needsLoading = isWanted && known === undefined;
  useEffect(() => {
    if (!needsLoading) return undefined;
    const run = new AbortController();
    fetchTracks(record, run.signal).then(
      ({ rows }) => {
        if (run.signal.aborted) return;
        const tracks = tracksOf(rows, list.fields);
        loaded.set(items, tracks);
        setSettled({ items, tracks });
      },
      (error: unknown) => {
        if (run.signal.aborted) return;
        logFailure("The tracks could not be loaded", error);
        setSettled({ items, tracks: noTracks });
      },
    );
    return () => run.abort();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a search that is not run again finds the same rows
  }, [needsLoading, items]);
  return { tracks: isWanted ? (known ?? noTracks) : noTracks, isLoading: needsLoading };
}
