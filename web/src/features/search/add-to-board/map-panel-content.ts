import type { BoardPanel } from "@fairway/contract/boards";
import { mapItemsOf } from "#features/search/map/model/map-items.ts";
import { mapResultsOf } from "#features/search/map/model/map-results.ts";
import { type MapViewState, parseViewState } from "#features/search/map/model/map-view-state.ts";
import { markColumnsOf } from "#features/search/map/model/mark-choice.ts";
import { maxUnaskedTracks } from "#features/search/map/model/tracks.ts";
import { countingProblem } from "#features/search/map/model/countable.ts";
import { mapExtension } from "#features/search/search-extensions.ts";
import { sliceOf } from "#parts/search-model/search-extensions.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";

type MapContent = Pick<Extract<BoardPanel, { kind: "map" }>, "colorBy" | "sizeBy" | "show" | "tracks" | "rows" | "view">;

/** Whether the map of a search shows all rows. */
export const showsAllRows = (record: SearchRecord): boolean =>
  viewStateOf(record).showsRows && countingProblem(record.datasetDescription) === null;

/** The map of a search as a panel keeps it: what it shows, how, and where. */
export function mapContentOf(record: SearchRecord): MapContent {
  const viewState = viewStateOf(record);
  const { colorColumn, sizeColumn } = markColumnsOf(viewState, record.datasetDescription);
  const { selected: _selected, ...rows } = viewState.rows;
  return {
    ...(colorColumn !== null && { colorBy: colorColumn }),
    ...(sizeColumn !== null && { sizeBy: sizeColumn }),
    ...(showsAllRows(record) ? { show: "rows" as const, rows } : showsTracks(record, viewState) && { tracks: true }),
    ...(viewState.view && { view: viewState.view }),
  };
}

const viewStateOf = (record: SearchRecord): MapViewState =>
  parseViewState(sliceOf(record, mapExtension), record.datasetDescription.mapView);

/** Until a person says otherwise, the tracks of few items are drawn. */
function showsTracks(record: SearchRecord, { tracks }: MapViewState): boolean {
  if (tracks !== null) return tracks;
  const rows = mapResultsOf(record).items;
  const list = rows && mapItemsOf(record.datasetDescription, rows);
  return list !== null && list.items.length <= maxUnaskedTracks;
}
