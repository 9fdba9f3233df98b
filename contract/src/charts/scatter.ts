import type { BreakdownAnswer } from "../breakdowns.ts";
import type { ChartTheme } from "./chart-theme.ts";
import { palette } from "./graph-colors.ts";
import type { Group } from "./graph.ts";
import { figureNumber } from "./figures.ts";
import { type Standalone, titleHeight, titleOption } from "./option.ts";

/** The points of the first two measures, from left to right, without those of the rest. `group`: the index among the groups. */
export function scatterPoints({ by, cells }: BreakdownAnswer, groups: readonly Group[]): { group: number; x: number; y: number }[] {
  const byPlace = new Map(cells.map(({ at, values }) => [at[0], values]));
  return groups
    .flatMap(({ id }, group) => {
      const kind = by[0]?.entries[Number(id)]?.kind;
      if (kind === "other" || kind === "empty" || kind === "outside") return [];
      const values = byPlace.get(Number(id));
      const [x, y] = [figureNumber(values?.[0]), figureNumber(values?.[1])];
      return x === null || y === null ? [] : [{ group, x, y }];
    })
    .toSorted((a, b) => a.x - b.x);
}

interface Scatter {
  answer: BreakdownAnswer;
  groups: readonly Group[];
  labels: readonly string[];
  theme: ChartTheme;
  description: string;
  /** Creates its element. None in a picture. */
  tooltip?: (group: number) => object;
  /** For a picture. */
  standalone?: Standalone;
}

const tick = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 6 });

export function scatterOption({ answer, groups, labels, theme, description, tooltip, standalone }: Scatter) {
  const byPlace = new Map(scatterPoints(answer, groups).map(({ group, x, y }) => [group, [x, y]]));
  const axis = (index: number) => {
    const unit = answer.measures[index]?.unit ?? null;
    return {
      type: "value",
      name: `${labels[index] ?? ""}${unit === null ? "" : ` (${unit})`}`,
      scale: true,
      nameTextStyle: { color: theme.mutedText },
      axisLabel: { color: theme.mutedText, hideOverlap: true, formatter: (value: number) => tick.format(value) },
      axisLine: { onZero: false, lineStyle: { color: theme.strongLine } },
      splitLine: { lineStyle: { color: theme.line } },
    };
  };
  return {
    ...(standalone ? titleOption(standalone, theme) : {}),
    animation: false,
    textStyle: { fontFamily: theme.font, fontSize: 11 },
    aria: { enabled: true, label: { description } },
    grid: {
      left: 8,
      right: 24,
      top: standalone ? titleHeight(standalone) + 36 : 32,
      bottom: 28,
      outerBoundsMode: "same",
      outerBoundsContain: "axisLabel",
    },
    tooltip: {
      trigger: "item",
      confine: true,
      className: "fairway-chart-tooltip",
      transitionDuration: 0,
      ...(tooltip ? { formatter: (point: unknown) => tooltip((point as { dataIndex?: number }).dataIndex ?? 0) } : {}),
    },
    xAxis: { ...axis(0), nameLocation: "middle", nameGap: 28 },
    yAxis: { ...axis(1), nameTextStyle: { color: theme.mutedText, align: "left" } },
    series: [
      {
        type: "scatter",
        symbolSize: 10,
        itemStyle: { color: palette[0].color, opacity: 0.8 },
        // One for each group, so that the index of a point is that of its group.
        data: groups.map((_, group) => byPlace.get(group) ?? [null, null]),
      },
    ],
  };
}
