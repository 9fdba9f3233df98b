import type { DatasetAnnouncement } from "@fairway/contract/dataset-announcements";
import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import { IconStar } from "#ui/icons/star.ts";
import { IconStarFilled } from "#ui/icons/star-filled-filled.ts";
import { IconWorld } from "#ui/icons/world.ts";
import type { OwnDataset } from "@fairway/contract/own-datasets";
import { OwnMark } from "#parts/own-datasets/own-mark.tsx";
import { useOwnDatasets } from "#parts/own-datasets/queries.ts";
import { type Ref, useEffect, useId, useRef } from "react";
import { AnnouncementMark } from "#parts/dataset-announcements/announcement-mark.tsx";
import { useAnnouncements } from "#parts/dataset-announcements/queries.ts";
import { stopProps, useCellStops } from "#ui/kit/use-cell-stops.ts";
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
 * A grid with one tab stop, on the star or the name of a dataset.
 * A listbox would hide the stars from assistive technology because options cannot contain buttons.
 */
export function PickerList({ ref, categories, selected, favorites, onSelect, onToggleFavorite, onType }: Props) {
  const announcements = useAnnouncements();
  const own = useOwnDatasets();
  const rows = categories.flatMap(({ datasets }) => datasets);
  const rowIndexes = new Map(rows.map((row, index) => [datasetKey(row), index]));
  const { stop, stopCell, setActive, onKeyDown } = useCellStops<Cell>({
    count: rows.length,
    keyOf: (index) => rows[index] && datasetKey(rows[index]),
    indexOf: (key) => rowIndexes.get(key),
    selected: selected && datasetKey(selected),
    cells: ["star", "name"],
    onType,
  });

  return (
    <div ref={ref} role="grid" tabIndex={-1} aria-label="Datasets" className={classes["grid"]} onKeyDown={onKeyDown}>
      {categories.map((category) => (
        <Category key={category.id} id={category.id}>
          {category.datasets.map((dataset) => {
            const key = datasetKey(dataset);
            const index = rowIndexes.get(key) ?? 0;
            const isSelected = sameDataset(dataset, selected);
            const tabStop = (cell: Cell) => stopProps({ key, cell }, index === stop && cell === stopCell, setActive);
            return (
              <Row
                key={key}
                index={index}
                dataset={dataset}
                announcement={announcements.get(key)}
                own={own.get(key)}
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
  own: OwnDataset | undefined;
  isSelected: boolean;
  isFavorite: boolean;
  tabStop: (cell: Cell) => ReturnType<typeof stopProps<Cell>>;
  onSelect: (dataset: DatasetRef) => void;
  onToggleFavorite: (dataset: DatasetRef) => void;
}

function Row({ index, dataset, announcement, own, isSelected, isFavorite, tabStop, onSelect, onToggleFavorite }: RowProps) {
  const { datasetId, description, supportsMapResults, title = datasetId } = dataset;
  const row = useRef<HTMLDivElement>(null);
  // A link or Back may select a dataset far down the list.
  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  return (
    <div ref={row} role="row" aria-selected={isSelected} data-index={index} className={classes["row"]}>
      <span role="gridcell">
        <button
          type="button"
          className={classes["star"]}
          aria-pressed={isFavorite}
          aria-label={`Favorite ${title}`}
          title={isFavorite ? "Remove from favorites" : "Add to favorites"}
          onClick={() => onToggleFavorite(dataset)}
          {...tabStop("star")}
        >
          {isFavorite ? <IconStarFilled size={16} aria-hidden /> : <IconStar size={16} aria-hidden />}
        </button>
      </span>
      <span role="gridcell" className={classes["nameCell"]}>
        <button type="button" className={classes["name"]} title={description} onClick={() => onSelect(dataset)} {...tabStop("name")}>
          {title}
        </button>
      </span>
      <span role="gridcell" className={classes["map"]}>
        <OwnMark own={own} />
        <AnnouncementMark announcement={announcement} />
        {supportsMapResults && <IconWorld size={16} role="img" aria-label="Supports map results" title="Supports map results" />}
      </span>
    </div>
  );
}
