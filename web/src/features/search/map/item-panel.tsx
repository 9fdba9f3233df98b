import { formatCount, pluralize } from "@fairway/contract/counts";
import { Checkbox, Stack, TextInput } from "@mantine/core";
import { IconSearch } from "#ui/icons/search.ts";
import { type ReactNode, useRef } from "react";
import { useResultZone } from "#lib/time/result-zone.ts";
import { useLimits } from "#lib/gateway/portal-settings.ts";
import { isDay } from "@fairway/contract/columns";
import { timeText } from "#lib/text/cell-text.ts";
import { type MapItem, type MapItemList, unplacedSummary } from "#features/search/map/model/map-items.ts";
import { type ItemOrder, maxPaths } from "#features/search/map/model/map-view-state.ts";
import type { PathState } from "#features/search/map/model/path-sessions.ts";
import { hasPath } from "#features/search/map/model/path-model.ts";
import type { Staleness } from "#features/search/map/model/item-age.ts";
import { type MarkScale, markColor } from "#features/search/map/model/marks.ts";
import { ColorLegend, sizeText } from "./mark-legend.tsx";
import { ItemGrid } from "./item-grid.tsx";
import { ItemOrderSelect } from "./item-order-select.tsx";
import classes from "./map.module.css";

interface Props {
  /** Chooses between items and all rows. */
  mode: ReactNode;
  /** Undefined if the rows cannot be counted by place. */
  onShowRows: (() => void) | undefined;
  list: MapItemList;
  /** The items that match the filter. */
  items: readonly MapItem[];
  isCut: boolean;
  filter: string;
  onFilter: (text: string) => void;
  selected: string | null;
  paths: ReadonlyMap<string, PathState>;
  stalenessOf: (timeMs: number | null) => Staleness;
  seenMs: (item: MapItem) => number | null;
  endMs: number;
  /** Ages are measured at the end of the time, not at a playback time. */
  isAtEnd: boolean;
  colorScale: MarkScale | null;
  sizeScale: MarkScale | null;
  order: ItemOrder;
  onOrder: (order: ItemOrder) => void;
  /** Colors of the items, in their order. */
  colors: Uint8Array;
  /** The thinned paths of all items. */
  tracks: { readonly isShown: boolean; readonly isLoading: boolean; readonly drawn: number; readonly onShow: (isShown: boolean) => void };
  /** Actions for all items. */
  actions: ReactNode;
  onSelect: (item: MapItem) => void;
  onToggleAll: (items: readonly MapItem[]) => void;
  onTogglePath: (item: MapItem) => void;
  onHover: (id: string | null) => void;
}

/** The filter, the list of items and the color legend. */
export function ItemPanel({
  mode,
  onShowRows,
  list,
  items,
  isCut,
  filter,
  onFilter,
  actions,
  onToggleAll,
  isAtEnd,
  tracks,
  colorScale,
  sizeScale,
  order,
  onOrder,
  colors,
  ...grid
}: Props) {
  const input = useRef<HTMLInputElement>(null);
  const { staleWarningHours, staleErrorHours } = useLimits();
  const unplaced = unplacedSummary(list);
  const total = list.items.length;
  const withPath = items.length > maxPaths ? [] : items.filter(hasPath);
  const isCrowd = items.length > maxPaths && items.some(hasPath);
  const zone = useResultZone();
  const shown = withPath.filter(({ id }) => grid.paths.has(id)).length;
  return (
    <section className={classes["panel"]} aria-label="Items">
      <Stack gap="sm" pt="md" px="md" pb="sm" flex="none">
        {mode}
        <TextInput
          ref={input}
          type="search"
          aria-label="Filter items"
          placeholder="Filter items"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={filter}
          onChange={(event) => onFilter(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape" && filter !== "") {
              event.preventDefault();
              event.stopPropagation();
              onFilter("");
            }
          }}
          autoComplete="off"
          spellCheck={false}
          data-page-filter
        />
        <div className={classes["counts"]}>
          <span role="status">{countText(items.length, total)}</span>
          {actions}
        </div>
        {total > 1 && <ItemOrderSelect value={order} coloredBy={colorScale?.column.name ?? null} onChange={onOrder} />}
        {withPath.length > 1 && (
          <Checkbox
            size="xs"
            ml="xs"
            label="All paths"
            description={tracks.isShown && tracks.drawn > 0 ? "Tracks are simplified; paths show every position" : undefined}
            checked={shown === withPath.length}
            indeterminate={shown > 0 && shown < withPath.length}
            onChange={() => onToggleAll(withPath)}
          />
        )}
        {isCrowd && (
          <Checkbox
            size="xs"
            ml="xs"
            label="All paths"
            description={tracks.isShown ? tracksText(tracks, items.length) : undefined}
            checked={tracks.isShown}
            onChange={(event) => tracks.onShow(event.currentTarget.checked)}
          />
        )}
        {isCut && (
          <p className={classes["notice"]}>
            The map shows only the first {formatCount(total)} items. Narrow the filters to see the rest.
            {onShowRows && (
              <button type="button" className={classes["moreButton"]} onClick={onShowRows}>
                Show all rows
              </button>
            )}
          </p>
        )}
        {unplaced !== null && <p className={classes["notice"]}>{unplaced}</p>}
      </Stack>
      {items.length === 0 ? (
        <p className={classes["none"]}>No item matches.</p>
      ) : (
        <ItemGrid
          items={items}
          dotColor={colorScale ? (index) => markColor(colorScale, (colors[index] ?? 0) % 16) : null}
          onType={() => input.current?.focus()}
          {...grid}
        />
      )}
      <div className={classes["legend"]} role="group" aria-label="Colors">
        {colorScale ? (
          <ColorLegend scale={colorScale} />
        ) : (
          <>
            <span>{isAtEnd ? `Age at ${ageAtText(list.fields.time, grid.endMs, zone)}` : "Age at the playback time"}</span>
            <span className={classes["mark"]}>
              <i className={classes["dot"]} data-stale="fresh" /> within {staleWarningHours} h
            </span>
            <span className={classes["mark"]}>
              <i className={classes["dot"]} data-stale="warning" /> {staleWarningHours} h to {staleErrorHours} h
            </span>
            <span className={classes["mark"]}>
              <i className={classes["dot"]} data-stale="error" /> over {staleErrorHours} h
            </span>
          </>
        )}
        {sizeScale && <span className={classes["size"]}>{sizeText(sizeScale)}</span>}
        {(grid.paths.size > 0 || tracks.drawn > 0) && (
          <span className={classes["mark"]}>
            <svg width="20" height="8" aria-hidden>
              <line x1="0" y1="4" x2="20" y2="4" stroke="var(--rose-mark)" strokeWidth="2" strokeDasharray="5 3" />
            </svg>
            gap in a path
          </span>
        )}
      </div>
    </section>
  );
}

const countText = (shown: number, total: number): string =>
  shown === total ? pluralize(total, "item") : `${formatCount(shown)} of ${formatCount(total)} items`;

const tracksText = ({ isLoading, drawn }: Props["tracks"], total: number): string =>
  isLoading ? "Loading paths" : `${formatCount(drawn)} of ${formatCount(total)} drawn, simplified`;

/** A time, without midnight. */
const ageAtText = (column: MapItemList["fields"]["time"], timeMs: number, zone: string): string => {
  const text = timeText(column, timeMs, zone) ?? String(timeMs);
  return isDay(column) ? text : `${text.replace(/, 12:00:00 AM$/, "")} ${zone}`;
};
