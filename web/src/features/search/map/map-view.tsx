import { Button } from "@mantine/core";
import { IconPlayerStop } from "#ui/icons/player-stop.ts";
import { IconRefresh } from "#ui/icons/refresh.ts";
import { useEffect, useMemo } from "react";
import { mapFieldsOf } from "#features/search/map/model/map-fields.ts";
import { mapItemsOf } from "#features/search/map/model/map-items.ts";
import { useMapResults } from "#features/search/map/model/map-results.ts";
import { cancelItems, loadItems } from "#features/search/map/model/map-sessions.ts";
import { MapLoading } from "#parts/area/map-loading.tsx";
import { NoMatch } from "#parts/filters/no-match.tsx";
import type { SearchFilters, SearchRecord } from "#parts/search-model/search-record.ts";
import { EmptyState, ErrorState, LoadingRows } from "#ui/states.tsx";
import { Unmappable } from "./frame/unmappable.tsx";
import { MapWorkspace } from "./map-workspace.tsx";
import { ModeSwitch } from "./mode-switch.tsx";
import { countingProblem } from "#features/search/map/model/countable.ts";
import { RowsView } from "./rows/rows-view.tsx";
import { useMapViewState } from "./frame/use-map-view-state.ts";
import { Elapsed } from "#ui/elapsed.tsx";
import classes from "./frame/map.module.css";

interface Props {
  record: SearchRecord;
  /** Searches again with these filters. */
  onFilters: (filters: SearchFilters) => void;
  onEditFilters: () => void;
}

/** The results of a search on a map: the newest row of every item, or all rows counted by place. */
export function MapView(props: Props) {
  const { record } = props;
  const { datasetDescription: description } = record;
  const [{ showsRows }, updateViewState] = useMapViewState(record);
  const problem = countingProblem(description);
  const hasItems = description.mapSupport !== null;
  if (problem !== null || (hasItems && !showsRows)) return <ItemsView {...props} />;
  const mode = hasItems && <ModeSwitch showsRows problem={problem} onChange={(next) => updateViewState(() => ({ showsRows: next }))} />;
  return <RowsView key={record.run} {...props} mode={mode || null} />;
}

/** The newest row of every item, or the state in its place. */
function ItemsView({ record, onFilters, onEditFilters }: Props) {
  const { id, datasetDescription: description } = record;
  const { items, loadingData, startedMs, errorLoading, isUnmappable, errors, isCancelled } = useMapResults(record);
  const canBeMapped = mapFieldsOf(description) !== null && !isUnmappable;
  const needsLoading = canBeMapped && items === null && !loadingData && !errorLoading && !isCancelled;
  useEffect(() => {
    if (needsLoading) loadItems(id);
  }, [id, needsLoading]);
  const list = useMemo(() => (items === null ? null : mapItemsOf(description, items)), [description, items]);

  if (!canBeMapped || (items !== null && list === null)) {
    return <Unmappable searchId={id} />;
  }
  if (errorLoading) return <ErrorState message="Error loading data" details={errors} onRetry={() => loadItems(id)} />;
  if (isCancelled) {
    return (
      <EmptyState
        title="Loading canceled"
        icon={<IconPlayerStop size={24} stroke={1.5} aria-hidden />}
        action={
          <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => loadItems(id)}>
            Load Map
          </Button>
        }
      >
        It was stopped before any items arrived.
      </EmptyState>
    );
  }
  if (list === null) {
    return (
      <div className={classes["loading"]}>
        <div className={classes["loadingList"]}>
          <LoadingRows label="Loading items" rows={14} />
        </div>
        <div className={classes["loadingMap"]}>
          {startedMs === null ? (
            <MapLoading />
          ) : (
            <Elapsed text="Loading items" startedMs={startedMs} before={<MapLoading />} onCancel={() => cancelItems(id)} />
          )}
        </div>
      </div>
    );
  }
  if (list.items.length === 0) {
    return <NoMatch record={record} withoutFilters="No row has a position." onChange={onFilters} onEditFilters={onEditFilters} />;
  }
  return <MapWorkspace record={record} list={list} />;
}
