import { formatCount, pluralize } from "@fairway/contract/counts";
import { type Column, columnTitle } from "@fairway/contract/columns";
import type { CellValue } from "@fairway/contract/search";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import type { CellRef } from "#features/search/map/canvas/rows-canvas.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { IconX } from "#ui/icons/x.ts";
import { FailureLine, LoadingRows } from "#ui/states.tsx";
import mapClasses from "#features/search/map/frame/map.module.css";
import { type CellFigures, cellFiguresQuery, cellRowsQuery, figureColumn, listedRows } from "./cell-query.ts";
import { cellBoxText } from "./place-text.ts";
import { RowLines } from "./row-lines.tsx";
import classes from "./rows.module.css";
import { averageText } from "./value-text.ts";
import { numberText } from "#features/search/map/model/scale-text.ts";

interface Props {
  record: SearchRecord;
  cell: CellRef;
  /** Rows of the cell, if they are loaded. */
  rows: number | null;
  /** The column that colors the cells. */
  coloredBy: Column | undefined;
  /** Undefined where the search cannot have an area. */
  onSetArea: (() => void) | undefined;
  onShowTable: () => void;
  onZoom: () => void;
  takesFocus: boolean;
  onClose: () => void;
}

/** The selected cell: its box, how many rows it has, their range, and the first of them. */
export function CellCard({ record, cell, rows, coloredBy, onSetArea, onShowTable, onZoom, takesFocus, onClose }: Props) {
  const column = figureColumn(record.datasetDescription, coloredBy);
  const figures = useQuery(cellFiguresQuery(record, cell, column));
  const list = useQuery(cellRowsQuery(record, cell));
  const count = figures.data?.rows ?? rows;
  const areas = record.filters.geospatial?.polygons.length ?? 0;
  return (
    <MapCard title={cellBoxText(cell)} label="Cell" takesFocus={takesFocus} onClose={onClose}>
      <p className={classes["figures"]}>
        {count === null ? "Counting rows" : pluralize(count, "row")}
        {column && figures.data && figuresText(column, figures.data)}
      </p>
      {figures.isError && <FailureLine text={messagesOf(figures.error).join(" ")} onRetry={() => void figures.refetch()} />}
      {list.isError ? (
        <FailureLine text="The rows could not be loaded." onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <LoadingRows label="Loading rows" rows={Math.min(count ?? 3, listedRows)} rowHeight={28} />
      ) : (
        <RowLines description={record.datasetDescription} rows={list.data} column={column} />
      )}
      <div className={mapClasses["foot"]}>
        <Button variant="default" size="xs" onClick={onShowTable}>
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
