import type { DatasetAnnouncement } from "@fairway/contract/dataset-announcements";
import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import { IconStar } from "#ui/icons/star.ts";
import { IconStarFilled } from "#ui/icons/star-filled-filled.ts";
import { IconWorld } from "#ui/icons/world.ts";
import { type KeyboardEvent, type Ref, useEffect, useId, useRef, useState } from "react";
import { AnnouncementMark } from "#parts/dataset-announcements/announcement-mark.tsx";
import { useAnnouncements } from "#parts/dataset-announcements/queries.ts";
import { nextRowIndex } from "#ui/next-row-index.ts";
import { type PickerCategory, type PickerDataset, sameDataset } from "./picker-rows.ts";
import classes from "./dataset-picker.module.css";

type Cell = "star" | "name";

interface Props {
  ref: Ref<HTMLDivElement>;
  categories: readonly PickerCategory[];
  selected: DatasetRef | null;
  favorites: ReadonlySet<string>;
  onSelect: (dataset: DatasetRef) => void;
  onToggleFavorite: (dataset: DatasetRef) => void;
  /** Called when a character is typed in the list; it belongs in the search field. */
  onType: () => void;
}

/**
 * A grid with one tab stop: up and down move between datasets, left and right between star and name.
 * A listbox would hide the stars from assistive technology because options cannot contain buttons.
 */
export function PickerList({ ref, categories, selected, favorites, onSelect, onToggleFavorite, onType }: Props) {
  const announcements = useAnnouncements();
  const rows = categories.flatMap(({ datasets }) => datasets);
  const [active, setActive] = useState<{ key: string; cell: Cell } | null>(null);
  const rowIndexes = new Map(rows.map((row, index) => [datasetKey(row), index]));
  const activeIndex = active ? rowIndexes.get(active.key) : undefined;
  const tabStopIndex = activeIndex ?? (selected ? rowIndexes.get(datasetKey(selected)) : undefined) ?? 0;
  const tabStopCell = activeIndex !== undefined && active ? active.cell : "name";

  const move = (grid: HTMLElement, index: number, cell: Cell) => {
    const row = rows[index];
    if (!row) return;
    setActive({ key: datasetKey(row), cell });
    grid.querySelector<HTMLElement>(`[data-row="${index}"] [data-cell="${cell}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const grid = event.currentTarget;
    const target = nextRowIndex(event.key, tabStopIndex, rows.length);
    if (target !== undefined) move(grid, target, tabStopCell);
    else if (event.key === "ArrowLeft") move(grid, tabStopIndex, "star");
    else if (event.key === "ArrowRight") move(grid, tabStopIndex, "name");
    // The field has the focus by the time the character is inserted.
    else if (event.key.length === 1 && event.key !== " " && event.key !== "/" && event.key !== "?") return onType();
    else return;
    event.preventDefault();
  };

  return (
    <div ref={ref} role="grid" tabIndex={-1} aria-label="Datasets" className={classes["grid"]} onKeyDown={onKeyDown}>
      {categories.map((category) => (
        <Category key={category.id} id={category.id}>
          {category.datasets.map((dataset) => {
            const key = datasetKey(dataset);
            const index = rowIndexes.get(key) ?? 0;
            const isSelected = sameDataset(dataset, selected);
            const tabStop = (cell: Cell) => ({
              "data-cell": cell,
              tabIndex: index === tabStopIndex && cell === tabStopCell ? 0 : -1,
              onFocus: () => setActive({ key, cell }),
            });
            return (
              <Row
                key={key}
                index={index}
                dataset={dataset}
                announcement={announcements.get(key)}
                isSelected={isSelected}
                isFavorite={favorites.has(key)}
                tabStop={tabStop}
                onSelect={onSelect}
                onToggleFavorite={onToggleFavorite}
              />
            );
          })}
        </Category>
      ))}
    </div>
  );
}

function Category({ id, children }: { id: string; children: React.ReactNode }) {
  const headerId = useId();
  return (
    <div role="rowgroup" aria-labelledby={headerId} className={classes["category"]}>
      <div role="row" className={classes["header"]}>
        <span role="rowheader" id={headerId} aria-colspan={3}>
          {id}
        </span>
      </div>
      {children}
    </div>
  );
}

interface RowProps {
  index: number;
  dataset: PickerDataset;
  announcement: DatasetAnnouncement | undefined;
  isSelected: boolean;
  isFavorite: boolean;
  tabStop: (cell: Cell) => { "data-cell": Cell; tabIndex: number; onFocus: () => void };
  onSelect: (dataset: DatasetRef) => void;
  onToggleFavorite: (dataset: DatasetRef) => void;
}

function Row({ index, dataset, announcement, isSelected, isFavorite, tabStop, onSelect, onToggleFavorite }: RowProps) {
  const { datasetId, description, supportsMapResults } = dataset;
  const row = useRef<HTMLDivElement>(null);
  // A link or Back may select a dataset far down the list.
  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  return (
    <div ref={row} role="row" aria-selected={isSelected} data-row={index} className={classes["row"]}>
      <span role="gridcell">
        <button
          type="button"
          className={classes["star"]}
          aria-pressed={isFavorite}
          aria-label={`Favorite ${datasetId}`}
          title={isFavorite ? "Remove from favorites" : "Add to favorites"}
          onClick={() => onToggleFavorite(dataset)}
          {...tabStop("star")}
        >
          {isFavorite ? <IconStarFilled size={16} aria-hidden /> : <IconStar size={16} aria-hidden />}
        </button>
      </span>
      <span role="gridcell" className={classes["nameCell"]}>
        <button type="button" className={classes["name"]} title={description} onClick={() => onSelect(dataset)} {...tabStop("name")}>
          {datasetId}
        </button>
      </span>
      <span role="gridcell" className={classes["map"]}>
        <AnnouncementMark announcement={announcement} />
        {supportsMapResults && <IconWorld size={16} role="img" aria-label="Supports map results" title="Supports map results" />}
      </span>
    </div>
  );
}
