import type { Column } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import { useEffect, useState } from "react";
import { fetchTracks } from "#features/search/map/model/map-calls.ts";
import type { MapItemList } from "#features/search/map/model/map-items.ts";
import { useMapResults } from "#features/search/map/model/map-results.ts";
import { hasPath } from "#features/search/map/model/path-model.ts";
import { type Tracks, tracksOf } from "#features/search/map/model/tracks.ts";
import type { TracksView } from "#features/search/map/model/tracks-view.ts";
import { logFailure } from "#lib/browser/log.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { rowsRestMs } from "./frame/delays.ts";

interface Loaded {
  /** The rows of the items, and the column whose values the tracks have. */
  readonly items: readonly ResultRow[];
  readonly column: string | null;
  readonly tracks: Tracks;
  readonly isTruncated: boolean;
}

/** By the rows of their items, so that they are released together. */
const loaded = new WeakMap<readonly ResultRow[], Loaded>();
const noTracks: Tracks = new Map();

/**
 * The tracks of all items while they are shown, with the values of the column that colors them. Hiding them or leaving the map cancels
 * loading; a failure leaves them out. Those without the values of a new column remain until the others are loaded.
 */
export function useTracks(
  record: SearchRecord,
  list: MapItemList,
  isShown: boolean,
  { column, view }: { readonly column: Column | undefined; readonly view: TracksView | null },
): { tracks: Tracks; isLoading: boolean; isTruncated: boolean } {
  const { items } = useMapResults(record);
  const isWanted = isShown && items !== null && list.items.some(hasPath);
  const [settled, setSettled] = useState<Loaded | null>(null);
  const known = items === null ? undefined : (loaded.get(items) ?? (settled?.items === items ? settled : undefined));
  const name = column?.name ?? null;
  const needsLoading = isWanted && (known === undefined || (name !== null && known.column !== name));
  useEffect(() => {
    if (!needsLoading) return undefined;
    const run = new AbortController();
    fetchTracks(record, run.signal, name === null ? [] : [name]).then(
      ({ rows, truncated }) => {
        if (run.signal.aborted) return;
        const found = { items, column: name, tracks: tracksOf(rows, list.fields, column), isTruncated: truncated };
        loaded.set(items, found);
        setSettled(found);
      },
      (error: unknown) => {
        if (run.signal.aborted) return;
        logFailure("The tracks could not be loaded", error);
        setSettled({ items, column: name, tracks: noTracks, isTruncated: false });
      },
    );
    return () => run.abort();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a search that is not run again finds the same rows
  }, [needsLoading, items, name]);
  const refined = useRefined(record, list, isWanted && !needsLoading ? known : undefined, { column, view });
  const shown = refined ?? known;
  return { tracks: isWanted ? (shown?.tracks ?? noTracks) : noTracks, isLoading: needsLoading, isTruncated: shown?.isTruncated ?? false };
}

/** The same tracks with the bends of a view, if they leave out positions. Those of the last view remain until others are loaded. */
function useRefined(
  record: SearchRecord,
  list: MapItemList,
  whole: Loaded | undefined,
  { column, view }: { readonly column: Column | undefined; readonly view: TracksView | null },
): Loaded | undefined {
  const [settled, setSettled] = useState<{ readonly of: Loaded; readonly refined: Loaded } | null>(null);
  const isThinned = whole !== undefined && pointsOf(whole.tracks) < (record.totalResultCount ?? 0);
  const asked = isThinned ? view : null;
  useEffect(() => {
    if (asked === null || whole === undefined) return undefined;
    const run = new AbortController();
    const timer = setTimeout(() => {
      fetchTracks(record, run.signal, column === undefined ? [] : [column.name], asked).then(
        ({ rows, truncated }) => {
          if (run.signal.aborted) return;
          const refined = { ...whole, tracks: tracksOf(rows, list.fields, column), isTruncated: truncated };
          setSettled({ of: whole, refined });
        },
        (error: unknown) => {
          if (!run.signal.aborted) logFailure("The tracks could not be refined", error);
        },
      );
    }, rowsRestMs);
    return () => {
      clearTimeout(timer);
      run.abort();
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a search that is not run again finds the same rows
  }, [asked, whole]);
  return asked !== null && settled?.of === whole ? settled?.refined : undefined;
}

function pointsOf(tracks: Tracks): number {
  let points = 0;
  for (const track of tracks.values()) points += track.points.count;
  return points;
}
