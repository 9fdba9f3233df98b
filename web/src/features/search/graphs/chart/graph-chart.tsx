import { useComputedColorScheme } from "@mantine/core";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { announce } from "#ui/announcer.tsx";
import { type Chart, startChart } from "./engine.ts";
import { inkOf } from "./ink.ts";
import { chartOption, groupOf } from "./option.ts";
import { chartTip } from "./tooltip.ts";
import type { GraphModel } from "#features/search/graphs/model/graph-model.ts";
import { valueText } from "#features/search/graphs/model/graph-wording.ts";
import { type GraphDefinition, isRound } from "#features/search/graphs/model/graph.ts";
import classes from "./graph-chart.module.css";

interface Props {
  looks: Pick<GraphDefinition, "type" | "stacked" | "logAxis">;
  model: GraphModel;
  description: string;
  hidden: ReadonlySet<number>;
  /** Groups that stand out, from one place to another. */
  selected: Stretch | null;
  /** A bar, a point or a slice was chosen, by its place among the groups. */
  onGroup: (group: number) => void;
  /** Groups were drawn over, or gone over with Shift, from one place to another. */
  onRange: (from: number, to: number) => void;
}

interface Stretch {
  from: number;
  to: number;
}

const dragPx = 6;

/** Where these groups are, in pixels. */
function bandOf(chart: Chart, { from, to }: Stretch): { from: number; to: number } {
  const centre = (group: number): number => chart.convertToPixel({ xAxisIndex: 0 }, group);
  // There is no second group to measure by where there is one.
  const half = (centre(1) - centre(0)) / 2 || 0;
  return { from: centre(from) - half, to: centre(to) + half };
}

/** The picture of a graph. Arrow keys go through the groups and say them, with Shift select them; Enter chooses one. */
export function GraphChart({ looks, model, description, hidden, selected, onGroup, onRange }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<Chart | null>(null);
  const scheme = useComputedColorScheme();
  const round = isRound(looks);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const [at, setAt] = useState<number | null>(null);
  const [band, setBand] = useState<Stretch | null>(null);
  const [width, setWidth] = useState(0);
  const anchor = useRef<number | null>(null);
  const pointer = useRef("mouse");

  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const made = startChart(element);
    chart.current = made;
    const watch = new ResizeObserver(() => {
      made.resize();
      setWidth(element.clientWidth);
    });
    watch.observe(element);
    return () => {
      watch.disconnect();
      made.dispose();
      chart.current = null;
    };
  }, []);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const tip = (group: number, column: number | null) => chartTip(model, hidden, group, column);
    chart.current?.setOption(chartOption(looks, model, { ink: inkOf(element), description, hidden, tip }), { notMerge: true });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the scheme changes the page's colors, which are read from it
  }, [looks, model, description, hidden, scheme]);

  useEffect(() => {
    setBand(selected && chart.current ? bandOf(chart.current, selected) : null);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- these move the groups of the chart that is read
  }, [selected, width, looks, model, hidden]);

  useEffect(() => {
    const made = chart.current;
    if (!made || !round) return undefined;
    const choose = (slice: unknown): void => {
      if (pointer.current !== "touch") onGroup(groupOf(slice));
    };
    made.on("click", choose);
    return () => {
      if (!made.isDisposed()) made.off("click", choose);
    };
  }, [round, onGroup]);

  /** The group below a pointer; the nearest where it is beside the axis and `anywhere`. */
  const groupAt = ({ clientX, clientY }: PointerEvent, anywhere: boolean): number | null => {
    const made = chart.current;
    const area = box.current?.getBoundingClientRect();
    if (!made || !area || model.groups.length === 0 || model.columns.length === hidden.size) return null;
    const pixel: [number, number] = [clientX - area.left, clientY - area.top];
    if (!anywhere && !made.containPixel("grid", pixel)) return null;
    const [index = 0] = made.convertFromPixel("grid", pixel);
    return Math.max(0, Math.min(model.groups.length - 1, Math.round(index)));
  };
  const start = (event: PointerEvent<HTMLDivElement>) => {
    pointer.current = event.pointerType;
    if (round || event.button !== 0 || event.pointerType === "touch" || groupAt(event, false) === null) return;
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    event.currentTarget.setPointerCapture(event.pointerId);
    chart.current?.dispatchAction({ type: "hideTip" });
    setDrag({ from: x, to: x });
  };
  const move = (event: PointerEvent<HTMLDivElement>) => {
    if (drag) setDrag({ ...drag, to: event.clientX - event.currentTarget.getBoundingClientRect().left });
  };
  const end = (event: PointerEvent<HTMLDivElement>) => {
    if (!drag) return;
    setDrag(null);
    const last = groupAt(event, true);
    const width = drag.to - drag.from;
    if (last === null) return;
    if (Math.abs(width) < dragPx) {
      onGroup(last);
      return;
    }
    const first = chart.current?.convertFromPixel("grid", [drag.from, 1]);
    const other = Math.max(0, Math.min(model.groups.length - 1, Math.round(first?.[0] ?? last)));
    onRange(Math.min(other, last), Math.max(other, last));
  };

  const say = (group: number) => {
    const { label } = model.groups[group] ?? {};
    const values = model.columns.flatMap(({ label: name, unit }, place) =>
      hidden.has(place) ? [] : [`${name}: ${valueText(model.values[group]?.[place] ?? null) || "none"} ${unit}`.trim()],
    );
    announce(`${label}: ${values.join(", ")}`);
    if (!round) chart.current?.dispatchAction({ type: "showTip", seriesIndex: 0, dataIndex: group });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = model.groups.length - 1;
    const steps: Partial<Record<string, number>> = {
      ArrowRight: (at ?? -1) + 1,
      ArrowLeft: (at ?? 1) - 1,
      Home: 0,
      End: last,
    };
    const wanted = steps[event.key];
    if (wanted !== undefined && last >= 0) {
      event.preventDefault();
      const group = Math.max(0, Math.min(last, wanted));
      setAt(group);
      say(group);
      anchor.current = event.shiftKey ? (anchor.current ?? at ?? group) : null;
      if (anchor.current !== null && !round) onRange(Math.min(anchor.current, group), Math.max(anchor.current, group));
    } else if (event.key === "Enter" && at !== null && at <= last) {
      event.preventDefault();
      onGroup(at);
    } else if (event.key === "Escape") {
      setDrag(null);
      chart.current?.dispatchAction({ type: "hideTip" });
    }
  };
  const shown = drag && Math.abs(drag.to - drag.from) >= dragPx ? drag : band;
  return (
    <div className={classes["box"]}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a picture that is gone through, as its description says */}
      <div
        ref={box}
        className={`${classes["chart"]} ${round ? "" : classes["clickable"]}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrow keys go through its groups
        tabIndex={0}
        role="img"
        aria-label={description}
        onPointerDown={start}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={() => setDrag(null)}
        onKeyDown={onKeyDown}
        onBlur={() => chart.current?.dispatchAction({ type: "hideTip" })}
      />
      {shown && (
        <div className={classes["range"]} style={{ left: Math.min(shown.from, shown.to), width: Math.abs(shown.to - shown.from) }} />
      )}
    </div>
  );
}
