import { ringText } from "@fairway/contract/areas";
import type { BoardContent, BoardPanel } from "@fairway/contract/boards";
import { savedAreaFilter, savedRangeFilter, savedRangeOf } from "#features/search/saved-searches/saved-search-text.ts";
import type { Narrowing } from "#parts/search-model/search-address.ts";

export const sharedOf = ({ timeRange, geospatial }: BoardContent): Narrowing => ({
  timeRange: timeRange ? savedRangeFilter(timeRange, Date.now()) : null,
  geospatial: savedAreaFilter(geospatial),
});

export function contentOf(
  { timeRange, geospatial }: Narrowing,
  refreshMinutes: number | null,
  panels: readonly BoardPanel[],
): BoardContent {
  // A relative range is saved without the moments that it means now.
  const range = timeRange && (timeRange.last ? { last: savedRangeOf(timeRange).last } : savedRangeOf(timeRange));
  const polygons = geospatial?.polygons.map(({ points }) => ringText(points));
  return {
    ...(range ? { timeRange: range } : {}),
    ...(polygons ? { geospatial: { polygons } } : {}),
    refreshMinutes,
    panels: [...panels],
  };
}

/** The content that the screen would save of a board that is not changed. */
export const writtenAnew = (content: BoardContent): BoardContent => contentOf(sharedOf(content), content.refreshMinutes, content.panels);
