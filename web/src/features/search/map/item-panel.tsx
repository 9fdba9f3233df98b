import { formatCount, pluralize } from "@fairway/contract/counts";
import type { ReaderAccess } from "@fairway/contract/dataset-access";
import { Stack, TextInput } from "@mantine/core";
import type { CoarseColumns } from "#parts/reader-part/coarse-columns.ts";
import { IconSearch } from "#ui/icons/search.ts";
import { type ReactNode, useRef } from "react";
import { type MapItem, type MapItemList, unplacedSummary } from "#features/search/map/model/map-items.ts";
import type { ItemOrder } from "#features/search/map/model/map-view-state.ts";
import type { PathState } from "#features/search/map/model/path-sessions.ts";
import { hasPath } from "#features/search/map/model/path-model.ts";
import type { Staleness } from "#features/search/map/model/item-age.ts";
import { type MarkScale, markColor } from "#features/search/map/model/marks.ts";
import { type Overview, overviewText, type PathChoice, pathChoice } from "#features/search/map/model/path-choice.ts";
import { ItemGrid } from "./item-grid.tsx";
import { ItemLegend, type PathLegend } from "./item-legend.tsx";
import { ItemOrderSelect } from "./item-order-select.tsx";
import { PathsSelect } from "./paths-select.tsx";
import classes from "./frame/map.module.css";

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
  /** The thinned paths of all items; null while they are not shown. */
  overview: Overview | null;
  onPaths: (choice: PathChoice) => void;
  pathLegend: PathLegend | null;
  access: ReaderAccess | undefined;
  coarse: CoarseColumns;
  /** The value of an item at the shown time, as a text. */
  valueTextOf: ((item: MapItem) => string) | null;
  /** Actions for all items. */
  actions: ReactNode;
  onSelect: (item: MapItem) => void;
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
  isAtEnd,
  overview,
  onPaths,
  pathLegend,
  access,
  coarse,
  colorScale,
  sizeScale,
  order,
  onOrder,
  colors,
  ...grid
}: Props) {
  const input = useRef<HTMLInputElement>(null);
  const unplaced = unplacedSummary(list);
  const total = list.items.length;
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
        {items.some(hasPath) && (
          <PathsSelect
            value={pathChoice(items, grid.paths, overview !== null)}
            note={overview && overviewText(overview)}
            onChange={onPaths}
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
      <ItemLegend
        time={list.fields.time}
        endMs={grid.endMs}
        isAtEnd={isAtEnd}
        colorScale={colorScale}
        sizeScale={sizeScale}
        paths={pathLegend}
        access={access}
        coarse={coarse}
      />
    </section>
  );
}

const countText = (shown: number, total: number): string =>
  shown === total ? pluralize(total, "item") : `${formatCount(shown)} of ${formatCount(total)} items`;
