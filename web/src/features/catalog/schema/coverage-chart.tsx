import type { Coverage } from "@fairway/contract/dataset-profiles";
import { pluralize } from "@fairway/contract/counts";
import { useElementSize } from "@mantine/hooks";
import { type KeyboardEvent, useMemo, useState } from "react";
import { coverageBars } from "#parts/dataset-profile/coverage-buckets.ts";
import { coverageTicks } from "./coverage-ticks.ts";
import classes from "./schema.module.css";

/** Rows per calendar unit as bars. Pointer, arrow keys and taps show the number of a bar. */
export function CoverageChart({ coverage }: { coverage: Coverage }) {
  const bars = useMemo(() => coverageBars(coverage), [coverage]);
  // The bar that the Tab key reaches, and the one whose number is shown.
  const [current, setCurrent] = useState(bars.length - 1);
  const [shown, setShown] = useState<number | null>(null);
  const maxRows = Math.max(1, ...bars.map(({ rows }) => rows));
  const { ref: axis, width } = useElementSize();
  const ticks = coverageTicks(
    bars.map(({ label }) => label),
    coverage.unit,
    width,
  );
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
      <div role="group" aria-label="Rows over time" className={classes["coverageChartBars"]}>
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
      <div ref={axis} className={classes["axis"]} aria-hidden>
        {ticks.map(({ label, leftPx }) => (
          <span key={leftPx} style={{ left: leftPx }}>
            {label}
          </span>
        ))}
      </div>
    </div>
  );
}
