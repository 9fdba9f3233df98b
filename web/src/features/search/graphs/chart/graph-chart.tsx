import { useComputedColorScheme } from "@mantine/core";
import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useRef, useState } from "react";
import { announce } from "#ui/announcer.tsx";
import type { ChartStyle } from "@fairway/contract/charts/axes";
import { type Chart, createChart } from "./engine.ts";
import { readChartTheme } from "./chart-theme.ts";
import { chartOption, groupOf } from "@fairway/contract/charts/option";
import { createTooltip } from "./tooltip.ts";
import type { GraphModel } from "@fairway/contract/charts/graph-model";
import { valueText } from "@fairway/contract/charts/graph-wording";
import { isRound } from "@fairway/contract/charts/graph";
import classes from "./chart.module.css";
import { pressed } from "#ui/shortcut-keys.ts";

interface Props {
  style: ChartStyle;
  model: GraphModel;
  description: string;
  hidden: ReadonlySet<number>;
  /** The selected range of groups. */
  selected: GroupRange | null;
  /** A bar, point or slice was selected, by index of its group. Undefined in a preview. */
  onGroup: ((group: number, at: ChartPoint) => void) | undefined;
  /** A range of groups was selected by dragging or with Shift. Undefined in a preview. */
  onRange: ((from: number, to: number) => void) | undefined;
}

/** A place in the chart, in pixels, and the value there; null in round charts and by the keyboard. */
export interface ChartPoint {
  x: number;
  y: number;
  value: number | null;
}

interface GroupRange {
  from: number;
  to: number;
}

const minDragPx = 6;

/** The place of a press on a slice. */
function pixelOf(slice: unknown): { x: number; y: number } {
  const { offsetX = 0, offsetY = 0 } = (slice as { event?: { offsetX?: number; offsetY?: number } }).event ?? {};
  return { x: offsetX, y: offsetY };
}

/** The horizontal range of these groups in pixels. */
function pixelRangeOf(chart: Chart, { from, to }: GroupRange): { from: number; to: number } {
  const centerOf = (group: number): number => chart.convertToPixel({ xAxisIndex: 0 }, group);
  // With a single group there is no distance to measure.
  const half = (centerOf(1) - centerOf(0)) / 2 || 0;
  return { from: centerOf(from) - half, to: centerOf(to) + half };
}

/** The chart of a graph. Arrow keys move through the groups and announce them, with Shift they select; Enter activates a group. */
export function GraphChart({ style, model, description, hidden, selected, onGroup, onRange }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<Chart | null>(null);
  const scheme = useComputedColorScheme();
  const round = isRound(style);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const [activeGroup, setActiveGroup] = useState<number | null>(null);
  const [selection, setSelection] = useState<GroupRange | null>(null);
  const [width, setWidth] = useState(0);
  const anchor = useRef<number | null>(null);
  const pointerType = useRef("mouse");

  // Where ranges can be dragged, a tap only shows the values of a group, as pressing one leads away.
  const selectsRanges = onRange !== undefined;
  const canPress = useCallback((pointer: string) => pointer !== "touch" || !selectsRanges, [selectsRanges]);

  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const instance = createChart(element);
    chart.current = instance;
    const observer = new ResizeObserver(() => {
      instance.resize();
      setWidth(element.clientWidth);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      instance.dispose();
      chart.current = null;
    };
  }, []);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const tooltip = (group: number, column: number | null) => createTooltip(model, hidden, group, column);
    chart.current?.setOption(chartOption(style, model, { theme: readChartTheme(element), description, hidden, tooltip }), {
      notMerge: true,
    });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the color scheme changes the theme that is read
  }, [style, model, description, hidden, scheme]);

  useEffect(() => {
    setSelection(selected && chart.current ? pixelRangeOf(chart.current, selected) : null);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- these change the positions read from the chart
  }, [selected, width, style, model, hidden]);

  useEffect(() => {
    const instance = chart.current;
    if (!instance || !round) return undefined;
    const onSliceClick = (slice: unknown): void => {
      if (canPress(pointerType.current)) onGroup?.(groupOf(slice), { ...pixelOf(slice), value: null });
    };
    instance.on("click", onSliceClick);
    return () => {
      if (!instance.isDisposed()) instance.off("click", onSliceClick);
    };
  }, [round, onGroup, canPress]);

  /** The group under the pointer; with `anywhere` the nearest one if the pointer is beside the axis. */
  const groupAt = ({ clientX, clientY }: PointerEvent, anywhere: boolean): number | null => {
    const instance = chart.current;
    const bounds = box.current?.getBoundingClientRect();
    if (!instance || !bounds || model.groups.length === 0 || model.columns.length === hidden.size) return null;
    const pixel: [number, number] = [clientX - bounds.left, clientY - bounds.top];
    if (!anywhere && !instance.containPixel("grid", pixel)) return null;
    const [index = 0] = instance.convertFromPixel("grid", pixel);
    return Math.max(0, Math.min(model.groups.length - 1, Math.round(index)));
  };
  const start = (event: PointerEvent<HTMLDivElement>) => {
    pointerType.current = event.pointerType;
    if ((!onRange && !onGroup) || round || event.button !== 0 || !canPress(event.pointerType) || groupAt(event, false) === null) return;
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    if (selectsRanges) event.currentTarget.setPointerCapture(event.pointerId);
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
    if (Math.abs(width) < minDragPx || !selectsRanges) {
      const bounds = event.currentTarget.getBoundingClientRect();
      const [x, y] = [event.clientX - bounds.left, event.clientY - bounds.top];
      const [, value = null] = chart.current?.convertFromPixel("grid", [x, y]) ?? [];
      onGroup?.(last, { x, y, value });
      return;
    }
    const first = chart.current?.convertFromPixel("grid", [drag.from, 1]);
    const other = Math.max(0, Math.min(model.groups.length - 1, Math.round(first?.[0] ?? last)));
    onRange?.(Math.min(other, last), Math.max(other, last));
  };

  const announceGroup = (group: number) => {
    const { label } = model.groups[group] ?? {};
    const values = model.columns.flatMap(({ label: name, unit }, index) =>
      hidden.has(index) ? [] : [`${name}: ${valueText(model.values[group]?.[index] ?? null) || "none"} ${unit}`.trim()],
    );
    announce(`${label}: ${values.join(", ")}`);
    if (!round) chart.current?.dispatchAction({ type: "showTip", seriesIndex: 0, dataIndex: group });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const last = model.groups.length - 1;
    const steps: Partial<Record<string, number>> = {
      ArrowRight: (activeGroup ?? -1) + 1,
      ArrowLeft: (activeGroup ?? 1) - 1,
      Home: 0,
      End: last,
    };
    const target = steps[event.key];
    if (target !== undefined && last >= 0) {
      event.preventDefault();
      const group = Math.max(0, Math.min(last, target));
      setActiveGroup(group);
      announceGroup(group);
      anchor.current = event.shiftKey ? (anchor.current ?? activeGroup ?? group) : null;
      if (anchor.current !== null && !round) onRange?.(Math.min(anchor.current, group), Math.max(anchor.current, group));
    } else if (pressed(event, "graph.search") && activeGroup !== null && activeGroup <= last) {
      event.preventDefault();
      const { clientWidth, clientHeight } = event.currentTarget;
      const x = round ? clientWidth / 2 : (chart.current?.convertToPixel({ xAxisIndex: 0 }, activeGroup) ?? 0);
      onGroup?.(activeGroup, { x, y: clientHeight / 2, value: null });
    } else if (event.key === "Escape") {
      setDrag(null);
      chart.current?.dispatchAction({ type: "hideTip" });
    }
  };
  const visibleRange = selectsRanges && drag && Math.abs(drag.to - drag.from) >= minDragPx ? drag : selection;
  return (
    <div className={classes["box"]}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an interactive image, as its description says */}
      <div
        ref={box}
        className={`${classes["chart"]} ${round || !onGroup ? "" : classes["clickable"]}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrow keys move through its groups
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
      {visibleRange && (
        <div
          className={classes["range"]}
          style={{ left: Math.min(visibleRange.from, visibleRange.to), width: Math.abs(visibleRange.to - visibleRange.from) }}
        />
      )}
    </div>
  );
}
