import { type ReactNode, useSyncExternalStore } from "react";
import { NoMatch } from "#parts/filters/no-match.tsx";
import type { SearchFilters, SearchRecord } from "#parts/search-model/search-record.ts";
import { Unmappable } from "#features/search/map/frame/unmappable.tsx";
import { gridSessionOf } from "./grid-sessions.ts";
import { RowsWorkspace } from "./rows-workspace.tsx";

interface Props {
  record: SearchRecord;
  /** Chooses between items and all rows; null where there is no choice. */
  mode: ReactNode;
  /** Searches again with these filters. */
  onFilters: (filters: SearchFilters) => void;
  onEditFilters: () => void;
}

/** All rows of a search on a map, or the state in its place. */
export function RowsView({ record, mode, onFilters, onEditFilters }: Props) {
  const session = gridSessionOf(record);
  const { totals, isUnmappable } = useSyncExternalStore(session.subscribe, session.getState);
  if (isUnmappable && mode === null) return <Unmappable searchId={record.id} />;
  if (totals?.rows === 0) return <NoMatch record={record} onChange={onFilters} onEditFilters={onEditFilters} />;
  return <RowsWorkspace record={record} mode={mode} onFilters={onFilters} />;
}
