import type { BreakdownAnswer } from "@fairway/contract/breakdowns";
import { useComputedColorScheme } from "@mantine/core";
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import { readChartTheme } from "#features/search/graphs/chart/chart-theme.ts";
import { type Chart, createChart } from "#features/search/graphs/chart/engine.ts";
import type { ChartPoint } from "#features/search/graphs/chart/graph-chart.tsx";
import type { Group } from "@fairway/contract/charts/graph";
import { announce } from "#ui/announcer.tsx";
import { pressed } from "#ui/shortcut-keys.ts";
import { figureNumber } from "@fairway/contract/charts/figures";
import { measureLabel } from "@fairway/contract/charts/measure-wording";
import { linesOf } from "./model/pressed-group.ts";
import { scatterOption, scatterPoints } from "@fairway/contract/charts/scatter";
import type { StoredSummary } from "./model/summary.ts";
import classes from "./summaries.module.css";

interface Props {
  summary: StoredSummary;
  answer: BreakdownAnswer;
  groups: readonly Group[];
  description: string;
  /** By index among `groups`. */
  onGroup: (group: number, at: ChartPoint) => void;
}

/** Groups by two measures. Arrows move through the points from left to right. */
export function ScatterChart({ summary, answer, groups, description, onGroup }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<Chart | null>(null);
  const scheme = useComputedColorScheme();
  const [active, setActive] = useState<number | null>(null);
  const points = scatterPoints(answer, groups);
  const press = useRef(onGroup);
  useEffect(() => {
    press.current = onGroup;
  }, [onGroup]);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const instance = createChart(element);
    chart.current = instance;
    const observer = new ResizeObserver(() => instance.resize());
    observer.observe(element);
    instance.on("click", (event) => {
      const { dataIndex, event: at } = event as { dataIndex?: number; event?: { offsetX?: number; offsetY?: number } };
      if (dataIndex !== undefined) press.current(dataIndex, { x: at?.offsetX ?? 0, y: at?.offsetY ?? 0, value: null });
    });
    return () => {
      observer.disconnect();
      instance.dispose();
      chart.current = null;
    };
  }, []);
  const nameOf = useCallback(
    (group: number): string => {
      const figures = answer.cells.find(({ at }) => at[0] === Number(groups[group]?.id)) ?? { values: [] };
      return [groups[group]?.label ?? "", ...linesOf(summary.breakdown, answer, figures)].join(", ");
    },
    [answer, groups, summary],
  );
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const labels = summary.breakdown.measures.map(measureLabel);
    const tooltip = (group: number): HTMLElement => {
      const text = document.createElement("div");
      text.className = classes["tip"] ?? "";
      text.textContent = nameOf(group);
      return text;
    };
    chart.current?.setOption(scatterOption({ answer, groups, labels, theme: readChartTheme(element), description, tooltip }), {
      notMerge: true,
    });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the color scheme changes the theme that is read
  }, [answer, groups, summary, description, nameOf, scheme]);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const at = points.findIndex(({ group }) => group === active);
    const step = pressed(event, "graph.move") === "ArrowRight" ? 1 : pressed(event, "graph.move") === "ArrowLeft" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      const next = points[Math.max(0, Math.min(points.length - 1, at + step))];
      if (!next) return;
      setActive(next.group);
      announce(nameOf(next.group));
      chart.current?.dispatchAction({ type: "showTip", seriesIndex: 0, dataIndex: next.group });
    } else if (pressed(event, "graph.search") && active !== null) {
      event.preventDefault();
      const cell = answer.cells.find(({ at: place }) => place[0] === Number(groups[active]?.id));
      const pair: [number, number] = [figureNumber(cell?.values[0]) ?? 0, figureNumber(cell?.values[1]) ?? 0];
      const [x = 0, y = 0] = chart.current?.convertToPixel("grid", pair) ?? [];
      onGroup(active, { x, y, value: null });
    }
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an interactive image, as its description says
    <div
      ref={box}
      className={classes["chart"]}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrow keys move through its points
      tabIndex={0}
      role="img"
      aria-label={description}
      onKeyDown={onKeyDown}
      onBlur={() => chart.current?.dispatchAction({ type: "hideTip" })}
    />
  );
}
