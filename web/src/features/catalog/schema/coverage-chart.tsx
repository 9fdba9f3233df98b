import type { Coverage } from "@fairway/contract/dataset-profiles";
import { pluralize } from "@fairway/contract/counts";
import { type KeyboardEvent, useMemo, useState } from "react";
import { coverageBars } from "#parts/dataset-profile/coverage-buckets.ts";
import classes from "./coverage-chart.module.css";

const maxTicks = 10;
/** A tick further right ends at the last bar. */
const maxTickLeft = 0.95;
const tickSteps = [1, 2, 5, 10, 20, 25, 50, 100];

/** Rows per calendar unit as bars. Pointer, arrow keys and taps show the number of a bar. */
export function CoverageChart({ coverage }: { coverage: Coverage }) {
  const bars = useMemo(() => coverageBars(coverage), [coverage]);
  // The bar that the Tab key reaches, and the one whose number is shown.
  const [current, setCurrent] = useState(bars.length - 1);
  const [shown, setShown] = useState<number | null>(null);
  const maxRows = Math.max(1, ...bars.map(({ rows }) => rows));
  const every = tickSteps.find((step) => bars.length / step <= maxTicks) ?? bars.length;
  // Years have ticks at round numbers.
  const offset = coverage.unit === "year" ? (every - (Number(bars[0]?.label) % every)) % every : 0;
  const textOf = ({ label, rows }: (typeof bars)[number]) => `${label}: ${pluralize(rows, "row")}`;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === "Escape") setShown(null);
    const next = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: bars.length - 1 }[event.key];
    if (next === undefined || bars[next] === undefined) return;
    event.preventDefault();
    setCurrent(next);
    event.currentTarget.parentElement?.querySelectorAll("button")[next]?.focus();
  };
  const shownBar = shown === null ? undefined : bars[shown];
  return (
    <div className={classes["chart"]} data-density={bars.length < 70 ? "low" : bars.length < 120 ? "medium" : "high"}>
      <div role="group" aria-label="Rows over time" className={classes["bars"]}>
        {bars.map((bar, index) => (
          <button
            key={bar.startMs}
            type="button"
            aria-label={textOf(bar)}
            tabIndex={index === current ? 0 : -1}
            onKeyDown={onKeyDown}
            onPointerEnter={() => setShown(index)}
            onPointerLeave={() => setShown(null)}
            onFocus={() => {
              setCurrent(index);
              setShown(index);
            }}
            onBlur={() => setShown(null)}
          >
            <span style={{ height: `${bar.rows === 0 ? 0 : Math.max(2, (bar.rows / maxRows) * 100)}%` }} />
          </button>
        ))}
      </div>
      {shownBar && (
        <div
          className={classes["tip"]}
          style={{ left: `clamp(60px, ${(((shown ?? 0) + 0.5) / bars.length) * 100}%, 100% - 60px)` }}
          aria-hidden
        >
          {textOf(shownBar)}
        </div>
      )}
      <div className={classes["axis"]} aria-hidden>
        {bars.map(({ startMs, label }, index) =>
          index % every === offset ? (
            <span key={startMs} style={index / bars.length < maxTickLeft ? { left: `${(index / bars.length) * 100}%` } : { right: 0 }}>
              {label}
            </span>
          ) : null,
        )}
      </div>
    </div>
  );
}
