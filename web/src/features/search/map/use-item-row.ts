import type { ResultRow } from "@fairway/contract/search";
import { useEffect, useState } from "react";
import { fetchItemRows } from "#features/search/map/model/map-calls.ts";
import { type MapFields, timeOf } from "#features/search/map/model/map-fields.ts";
import type { MapItem } from "#features/search/map/model/map-items.ts";
import { hasPath } from "#features/search/map/model/path-model.ts";
import { logFailure } from "#lib/browser/log.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";

interface TimedRow {
  readonly timeMs: number;
  readonly row: ResultRow;
}

/** State of an item at the shown time: a row, none before it was first seen, or null until its rows are loaded. */
type ItemRow = { readonly row: ResultRow; readonly isUnseen: boolean } | null;

/**
 * The row of an item at the shown time. At the end that is its last row; for earlier times its rows are loaded once. If that
 * fails, the last row remains.
 */
export function useItemRow(
  record: SearchRecord,
  item: MapItem,
  fields: MapFields,
  { atMs, isAtEnd, spanMs }: { atMs: number; isAtEnd: boolean; spanMs: number },
): ItemRow {
  const [loaded, setLoaded] = useState<{ readonly item: MapItem; readonly rows: readonly TimedRow[] } | null>(null);
  const rows = loaded?.item === item ? loaded.rows : null;
  const isWanted = !isAtEnd && hasPath(item) && item.timeMs !== null && item.timeMs > atMs;
  const needsLoading = isWanted && rows === null;
  useEffect(() => {
    if (!needsLoading) return undefined;
    const run = new AbortController();
    fetchItemRows(record, item, fields, { spanMs, signal: run.signal }).then(
      (response) => {
        if (!run.signal.aborted) setLoaded({ item, rows: timedRows(response.rows, fields) });
      },
      (error: unknown) => {
        if (run.signal.aborted) return;
        logFailure("The rows of an item could not be loaded", error);
        setLoaded({ item, rows: item.timeMs === null ? [] : [{ timeMs: Number.NEGATIVE_INFINITY, row: item.row }] });
      },
    );
    return () => run.abort();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the rows of an item are loaded once
  }, [needsLoading, item]);
  if (!isWanted) return { row: item.row, isUnseen: false };
  if (rows === null) return null;
  const seen = rows.findLast(({ timeMs }) => timeMs <= atMs);
  return seen ? { row: seen.row, isUnseen: false } : { row: item.row, isUnseen: true };
}

const timedRows = (rows: readonly ResultRow[], fields: MapFields): TimedRow[] =>
  rows
    .flatMap((row) => {
      const timeMs = timeOf(row, fields);
      return timeMs === null ? [] : [{ timeMs, row }];
    })
    .toSorted((a, b) => a.timeMs - b.timeMs);
