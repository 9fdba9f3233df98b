import type { Column } from "@fairway/contract/columns";
import { cellText } from "#lib/cell-text.ts";
import { zonedText } from "#lib/time-zone.ts";
import type { Picked } from "#features/search/map/canvas/map-canvas.ts";
import type { MapItem } from "#features/search/map/model/map-items.ts";
import type { PathState } from "#features/search/map/model/path-sessions.ts";
import { ageText } from "#features/search/map/model/item-age.ts";
import classes from "./map-view.module.css";

interface Props {
  picked: Picked;
  item: MapItem;
  path: PathState | undefined;
  columns: readonly Column[];
  gapMs: number;
  endMs: number;
  zone: string;
}

/** What the tooltip says of an item, or of one position of its path. */
export function PickedText({ picked, item, path, columns, gapMs, endMs, zone }: Props) {
  const timeText = (timeMs: number) => `${zonedText(timeMs, zone) ?? timeMs} ${zone}`;
  const points = path?.points ?? null;
  if (picked.kind === "item" || points === null) {
    return (
      <>
        <strong>{item.name}</strong>
        {item.timeMs !== null && <span>{timeText(item.timeMs)}</span>}
        <span>{ageText(item.timeMs, endMs)}</span>
      </>
    );
  }
  const { timeMs, lat, lng, values, count } = points;
  const at = picked.index;
  const now = timeMs[at] ?? 0;
  const next = at + 1 < count ? (timeMs[at + 1] ?? now) : now;
  return (
    <>
      <strong>{item.name}</strong>
      <span>{timeText(now)}</span>
      <span>
        {lat[at]}, {lng[at]}
      </span>
      {[...values].map(([name, of]) => {
        const column = columns.find((candidate) => candidate.name === name);
        const text = column && cellText(column, { [name]: of[at] ?? null }, zone);
        return (
          typeof text === "string" && (
            <span key={name}>
              {name} {text} {column?.unit ?? ""}
            </span>
          )
        );
      })}
      {next - now > gapMs && (
        <span className={classes["gapText"]}>
          no data for {gapText(next - now)} until {timeText(next)}
        </span>
      )}
    </>
  );
}

function gapText(ms: number): string {
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`;
  return `${Number((ms / 3_600_000).toFixed(1)).toLocaleString("en-US")} h`;
}
