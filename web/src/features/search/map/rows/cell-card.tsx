import { formatCount, pluralize } from "@fairway/contract/counts";
import { type Column, columnTitle } from "@fairway/contract/columns";
import type { CellValue } from "@fairway/contract/search";
import { Button } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import type { CellRef } from "#features/search/map/canvas/rows-canvas.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { IconX } from "#ui/icons/x.ts";
import { FailureLine, LoadingRows } from "#ui/states.tsx";
import { rowsRestMs } from "#features/search/map/frame/delays.ts";
import mapClasses from "#features/search/map/frame/map.module.css";
import { type CellFigures, cellFiguresQuery, cellRowsQuery, figureColumn, listedRows } from "./cell-query.ts";
import { dotLevel } from "./dot-place.ts";
import { cellBoxText, centerOf, placeDigits, placeText } from "./place-text.ts";
import { RowLines } from "./row-lines.tsx";
import classes from "./rows.module.css";
import { canNarrowToPeriod, type ShownPeriod } from "./shown-period.ts";
import { averageText } from "./value-text.ts";
import { numberText } from "#features/search/map/model/scale-text.ts";

interface Props {
  record: SearchRecord;
  cell: CellRef;
  /** Rows of the cell, if they are loaded. */
  rows: number | null;
  /** The shown steps of a playback; null for all times. */
  period: ShownPeriod | null;
  /** Steps follow each other: nothing is asked. */
  isPlaying: boolean;
  /** The column that colors the cells. */
  coloredBy: Column | undefined;
  /** Undefined where the search cannot have an area. */
  onSetArea: (() => void) | undefined;
  /** Shows the rows of these steps, or of all times. */
  onShowTable: (period: ShownPeriod | null) => void;
  onZoom: () => void;
  takesFocus: boolean;
  onClose: () => void;
}

/** The selected cell: its box, how many rows it has, their range, and the first of them. */
export function CellCard(props: Props) {
  const { record, cell, period, isPlaying, coloredBy, onSetArea, onShowTable, onZoom, takesFocus, onClose } = props;
  const column = figureColumn(record.datasetDescription, coloredBy);
  const isNarrowed = period !== null && canNarrowToPeriod(record.datasetDescription);
  const asked = { cell, period: isNarrowed ? period : null };
  const [restingPeriod] = useDebouncedValue(period, rowsRestMs);
  const isAsked = !isNarrowed || (!isPlaying && restingPeriod === period);
  const figures = useQuery({ ...cellFiguresQuery(record, asked, column), enabled: isAsked });
  const list = useQuery({ ...cellRowsQuery(record, asked), enabled: isAsked });
  const count = figures.data?.rows ?? (period === null || isNarrowed ? props.rows : null);
  const isRunning = isNarrowed && isPlaying;
  const areas = record.filters.geospatial?.polygons.length ?? 0;
  return (
    <MapCard {...titleOf(cell)} takesFocus={takesFocus} onClose={onClose}>
      <p className={classes["figures"]}>
        {period !== null && <span>{isNarrowed ? period.text : "All times, as this dataset cannot be searched by time"}: </span>}
        {count === null ? (isRunning ? "counted when it is paused" : "Counting rows") : pluralize(count, "row")}
        {isRunning ? count !== null && ", listed when it is paused" : column && figures.data && figuresText(column, figures.data)}
      </p>
      {figures.isError && <FailureLine text={messagesOf(figures.error).join(" ")} onRetry={() => void figures.refetch()} />}
      {list.isError ? (
        <FailureLine text="The rows could not be loaded." onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        !isRunning && <LoadingRows label="Loading rows" rows={Math.min(count ?? 3, listedRows)} rowHeight={28} />
      ) : (
        <RowLines description={record.datasetDescription} rows={list.data} column={column} />
      )}
      <div className={mapClasses["foot"]}>
        <Button variant="default" size="xs" disabled={count === 0} onClick={() => onShowTable(asked.period)}>
          {count === null ? "Show rows in table" : `Show ${pluralize(count, "row")} in table`}
        </Button>
        {onSetArea && (
          <Button variant="default" size="xs" aria-describedby={areas > 0 ? "cell-area-note" : undefined} onClick={onSetArea}>
            Set as area
          </Button>
        )}
        <Button variant="default" size="xs" onClick={onZoom}>
          Zoom to cell
        </Button>
        {onSetArea && areas > 0 && (
          <small id="cell-area-note" className={classes["note"]}>
            Replaces {pluralize(areas, "area")}
          </small>
        )}
      </div>
    </MapCard>
  );
}

/** Rows that were chosen one by one may be in an answer of cells now, as on a larger map: their place is a cell of two meters. */
function titleOf(cell: CellRef): { title: string; label: string } {
  if (cell.level < dotLevel) return { title: cellBoxText(cell), label: "Cell" };
  const { lat, lng } = centerOf(cell);
  return { title: placeText(lat, lng, placeDigits), label: "Rows at" };
}

/** `, wind 25 to 130 kt, average 53`. */
function figuresText(column: Column, { least, greatest, average }: CellFigures): string {
  if (least === null || greatest === null) return `, no ${columnTitle(column)}`;
  const unit = (column.unit ?? "") === "" ? "" : ` ${column.unit}`;
  const [from, to] = [textOf(least), textOf(greatest)];
  return from === to
    ? `, ${columnTitle(column)} ${from}${unit}`
    : `, ${columnTitle(column)} ${from} to ${to}${unit}, average ${averageText(Number(average))}`;
}

const textOf = (value: CellValue): string => (typeof value === "number" ? numberText(value) : String(value));

interface CardProps {
  title: string;
  /** The subject of the card. */
  label: string;
  /** Whether the focus moves there when it opens: it was opened by the keyboard. */
  takesFocus: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A card over the map, or a sheet on a phone. Escape closes it. */
export function MapCard({ title, label, takesFocus, onClose, children }: CardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes the card
    <section
      className={`${mapClasses["card"]} ${mapClasses["details"]} ${classes["card"]}`}
      aria-label={`${label} ${title}`}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
    >
      <div className={mapClasses["head"]}>
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <IconButton label="Close" onClick={onClose}>
          <IconX size={16} aria-hidden />
        </IconButton>
      </div>
      {children}
    </section>
  );
}

/** Rows at one place. */
export function DotCard({
  record,
  title,
  rows,
  coloredBy,
  takesFocus,
  onClose,
}: Pick<Props, "record" | "coloredBy" | "takesFocus" | "onClose"> & { title: string; rows: Parameters<typeof RowLines>[0]["rows"] }) {
  return (
    <MapCard title={title} label="Rows at" takesFocus={takesFocus} onClose={onClose}>
      <p className={classes["figures"]}>
        {pluralize(rows.length, "row")}
        {rows.length > maxDotRows && `, the first ${formatCount(maxDotRows)} of them`}
      </p>
      <RowLines description={record.datasetDescription} rows={rows.slice(0, maxDotRows)} column={coloredBy} />
    </MapCard>
  );
}

const maxDotRows = 100;
