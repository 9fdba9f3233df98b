import { pluralize } from "@fairway/contract/counts";
import type { TimeBucket, TimeDistribution } from "@fairway/contract/distributions";
import { ActionIcon, Button } from "@mantine/core";
import { IconX } from "#ui/icons/x.ts";
import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import type { TimeRangeFilter } from "#parts/search-model/search-record.ts";
import { timeRangeOf } from "#parts/search-model/time-range.ts";
import { announce } from "#ui/announcer.tsx";
import { type BucketSelection, draggedSelection, type Grip, movedSelection, rowsWithin, type SelectionEnd } from "./bucket-selection.ts";
import { bucketRangeText, bucketSizeText, tickText } from "./bucket-text.ts";
import classes from "./time-histogram.module.css";
import { pressed } from "#ui/shortcut-keys.ts";

interface Props {
  distribution: TimeDistribution;
  /** The time range of the search, within which a selection stays. */
  range: TimeRangeFilter | null;
  /** False while the bars are those of an earlier run. */
  isCurrent: boolean;
  onRange: (range: TimeRangeFilter) => void;
}

interface Drag {
  readonly grip: Grip;
  readonly from: number;
  readonly before: BucketSelection;
  readonly hasMoved: boolean;
}

const maxTicks = 6;

/** Bars of rows over time. A part of them is selected by dragging, or by keys on the ends of the selection. */
export default function TimeHistogram({ distribution, range, isCurrent, onRange }: Props) {
  const { unit, buckets } = distribution;
  const count = buckets.length;
  const all: BucketSelection = { first: 0, last: count - 1 };
  const bars = useRef<HTMLDivElement>(null);
  const firstThumb = useRef<HTMLDivElement>(null);
  const [selection, setSelection] = useState<BucketSelection | null>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  const shown = selection ?? all;
  const total = rowsWithin(buckets, all);
  const rangeText = (part: BucketSelection) => bucketRangeText(unit, at(buckets, part.first), at(buckets, part.last));

  const clear = () => {
    setSelection(null);
    firstThumb.current?.focus({ preventScroll: true });
    announce("Selection cleared");
  };
  const apply = () => {
    if (selection === null) return;
    const startMs = Math.max(at(buckets, selection.first).startMs, range?.startMs ?? -Infinity);
    const endMs = Math.min(at(buckets, selection.last).endMs - 1, range?.endMs ?? Infinity);
    firstThumb.current?.focus({ preventScroll: true });
    setSelection(null);
    onRange(timeRangeOf(startMs, endMs));
  };

  const indexAt = ({ clientX }: PointerEvent): number => {
    const { left, width } = bars.current?.getBoundingClientRect() ?? { left: 0, width: 1 };
    return Math.min(count - 1, Math.max(0, Math.floor(((clientX - left) / width) * count)));
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || !isCurrent) return;
    const from = indexAt(event);
    const end = event.target instanceof HTMLElement ? event.target.dataset["end"] : undefined;
    const isWithin = selection !== null && from >= selection.first && from <= selection.last;
    const grip: Grip = selection !== null && (end === "first" || end === "last") ? end : isWithin ? "both" : "new";
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ grip, from, before: shown, hasMoved: false });
    setHovered(null);
  };
  const onPointerMove = (event: PointerEvent) => {
    const to = indexAt(event);
    if (drag === null) {
      if (event.pointerType === "mouse") setHovered(to);
      return;
    }
    if (to === drag.from && !drag.hasMoved) return;
    setDrag({ ...drag, hasMoved: true });
    setSelection(draggedSelection(drag.grip, drag.before, drag.from, to, count));
  };
  const onPointerUp = () => {
    // A click selects one bar.
    if (drag !== null && !drag.hasMoved && drag.grip !== "first" && drag.grip !== "last")
      setSelection({ first: drag.from, last: drag.from });
    setDrag(null);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const end = event.currentTarget.dataset["end"] === "last" ? "last" : "first";
    if (event.altKey || event.ctrlKey || event.metaKey || !isCurrent) return;
    if (pressed(event, "time.apply") && selection !== null) apply();
    else if (pressed(event, "time.clear") && selection !== null) clear();
    else {
      const next = movedSelection(event, end, shown, count);
      if (next === null) return;
      setSelection(next);
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const thumb = (end: SelectionEnd, label: string) => (
    <div
      ref={end === "first" ? firstThumb : undefined}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={count - 1}
      aria-valuenow={shown[end]}
      aria-valuetext={`${bucketRangeText(unit, at(buckets, shown[end]), at(buckets, shown[end]))}, ${rowsWithin(buckets, shown).toLocaleString("en-US")} of ${pluralize(total, "row")}`}
      data-end={end}
      className={classes["thumb"]}
      style={{ left: `${((end === "first" ? shown.first : shown.last + 1) / count) * 100}%` }}
      onKeyDown={onKeyDown}
    />
  );

  return (
    <>
      <div className={classes["head"]}>
        <span className={classes["unit"]}>by {bucketSizeText(distribution)}</span>
        <span className={classes["summary"]} data-all={selection === null || undefined}>
          {selection === null && hovered !== null ? (
            <>
              <strong>{rangeText({ first: hovered, last: hovered })}</strong> {pluralize(at(buckets, hovered).rows, "row")}
            </>
          ) : (
            <>
              <strong>{rangeText(shown)}</strong>
              <span>
                {selection === null ? "UTC" : `${rowsWithin(buckets, shown).toLocaleString("en-US")} of ${pluralize(total, "row")}`}
              </span>
            </>
          )}
        </span>
        {selection !== null && (
          <>
            <Button variant="default" size="compact-xs" onClick={apply}>
              Set as time range
            </Button>
            <ActionIcon variant="subtle" color="gray" size={24} aria-label="Clear selection" title="Clear selection (Esc)" onClick={clear}>
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </>
        )}
      </div>
      <div
        ref={bars}
        className={classes["bars"]}
        data-selected={selection !== null || undefined}
        data-old={!isCurrent || undefined}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => setDrag(null)}
        onPointerLeave={() => setHovered(null)}
      >
        <Bars buckets={buckets} shown={shown} hovered={hovered} />
        {selection !== null && (
          <div
            className={classes["selection"]}
            style={{ left: `${(shown.first / count) * 100}%`, width: `${((shown.last + 1 - shown.first) / count) * 100}%` }}
          />
        )}
        {thumb("first", "Start of the selected time")}
        {thumb("last", "End of the selected time")}
      </div>
      <div className={classes["ticks"]} aria-hidden>
        {ticksOf(count).map((index) => (
          <span key={index} style={{ left: `${(index / count) * 100}%` }}>
            {tickText(unit, at(buckets, index).startMs)}
          </span>
        ))}
      </div>
    </>
  );
}

const barHeight = 100;
/** A bar of few rows stays visible. */
const minBarHeight = 4;

function Bars({ buckets, shown, hovered }: { buckets: readonly TimeBucket[]; shown: BucketSelection; hovered: number | null }) {
  const maxRows = buckets.reduce((max, { rows }) => Math.max(max, rows), 1);
  const path = (isIn: (index: number) => boolean) =>
    buckets
      .map(({ rows }, index) => {
        if (rows === 0 || !isIn(index)) return "";
        const height = Math.max(minBarHeight, (rows / maxRows) * barHeight);
        return `M${index + 0.1} ${barHeight}V${(barHeight - height).toFixed(2)}h.8V${barHeight}z`;
      })
      .join("");
  const isSelected = (index: number) => index >= shown.first && index <= shown.last;
  return (
    <svg viewBox={`0 0 ${buckets.length} ${barHeight}`} preserveAspectRatio="none" aria-hidden>
      {hovered !== null && <rect x={hovered} y={0} width={1} height={barHeight} className={classes["hovered"]} />}
      <path d={path((index) => !isSelected(index))} className={classes["off"]} />
      <path d={path(isSelected)} className={classes["on"]} />
    </svg>
  );
}

/** Indexes of labeled buckets. */
function ticksOf(count: number): number[] {
  const step = Math.max(1, Math.ceil(count / maxTicks));
  return Array.from({ length: Math.ceil(count / step) }, (_, tick) => tick * step).filter((index) => index === 0 || index / count < 0.92);
}

function at(buckets: readonly TimeBucket[], index: number): TimeBucket {
  return buckets[index] ?? { startMs: 0, endMs: 0, rows: 0 };
}
