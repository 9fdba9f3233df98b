import { type Column, columnTitleIn, isDay } from "@fairway/contract/columns";
import { cellText, timeText } from "#lib/text/cell-text.ts";
import type { Picked } from "#features/search/map/canvas/map-canvas.ts";
import type { MapItem } from "#features/search/map/model/map-items.ts";
import type { ShownPath } from "#features/search/map/model/path-model.ts";
import { ageText } from "#features/search/map/model/item-age.ts";
import classes from "./frame/map.module.css";

interface Props {
  picked: Picked;
  item: MapItem;
  path: ShownPath | undefined;
  columns: readonly Column[];
  gapMs: number;
  endMs: number;
  time: Pick<Column, "type" | "day">;
  zone: string;
}

/** Tooltip content for an item or one position of its path. */
export function PickedText({ picked, item, path, columns, gapMs, endMs, time, zone }: Props) {
  const shownTime = (timeMs: number) => `${timeText(time, timeMs, zone) ?? timeMs}${isDay(time) ? "" : ` ${zone}`}`;
  const points = path?.points ?? null;
  if (picked.kind === "item" || points === null) {
    return (
      <>
        <strong>{item.name}</strong>
        {item.timeMs !== null && <span>{shownTime(item.timeMs)}</span>}
        <span>{ageText(item.timeMs, endMs)}</span>
      </>
    );
  }
  const { timeMs, lat, lng, values, count } = points;
  const { index } = picked;
  const currentMs = timeMs[index] ?? 0;
  const nextMs = index + 1 < count ? (timeMs[index + 1] ?? currentMs) : currentMs;
  return (
    <>
      <strong>{item.name}</strong>
      <span>{shownTime(currentMs)}</span>
      <span>
        {lat[index]}, {lng[index]}
      </span>
      {[...values].map(([name, cells]) => {
        const column = columns.find((candidate) => candidate.name === name);
        const text = column && cellText(column, { [name]: cells[index] ?? null }, zone);
        return (
          typeof text === "string" && (
            <span key={name}>
              {columnTitleIn(columns, name)} {text} {column?.unit ?? ""}
            </span>
          )
        );
      })}
      {nextMs - currentMs > gapMs && (
        <span className={classes["gapText"]}>
          no data for {gapText(nextMs - currentMs)} until {shownTime(nextMs)}
        </span>
      )}
    </>
  );
}

function gapText(ms: number): string {
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`;
  return `${Number((ms / 3_600_000).toFixed(1)).toLocaleString("en-US")} h`;
}
