import { formatCount } from "../counts.ts";
import { endRoom, groupAxis, valueAxes, yAxes, type ChartStyle } from "./axes.ts";
import type { ChartTheme } from "./chart-theme.ts";
import { type GraphModel, totalOf } from "./graph-model.ts";
import { numberOf } from "./graph-values.ts";
import { labelWithUnit } from "./graph-wording.ts";
import { isRound } from "./graph.ts";

export interface ChartContext {
  theme: ChartTheme;
  /** Accessible description of the chart. */
  description: string;
  /** Indexes of columns hidden in the legend. */
  hidden: ReadonlySet<number>;
  /** Creates the element of the tooltip: of a group for bars and lines, of one slice for round charts. */
  tooltip?: (group: number, column: number | null) => object;
  /** Adds title, legend and labels for a standalone picture. */
  standalone?: Standalone;
}

/** A picture that stands for itself. */
export interface Standalone {
  /** Null: it is written elsewhere. */
  title: string | null;
  widthPx: number;
}

/** Above this number of groups, bars and lines use the large mode. */
const largeGroupCount = 2_000;

/** The title of a standalone picture, and the height that it takes. */
export const titleOption = ({ title: text }: Standalone, theme: ChartTheme) => ({
  backgroundColor: theme.background,
  title:
    text === null
      ? []
      : [{ text, left: 16, top: 10, textStyle: { color: theme.text, fontSize: 14, fontWeight: 600, fontFamily: theme.font } }],
});
export const titleHeight = ({ title }: Standalone): number => (title === null ? 8 : 36);

const cut = (label: string, characters: number): string => (label.length <= characters ? label : `${label.slice(0, characters - 1)}…`);

const legendLinePx = 24;
const legendText = (label: string): string => cut(label, 48);

/** Labels of slices leave no room for a name and its share side by side in narrower pictures. */
const narrowPx = 800;
const narrowLabel = ({ name, percent }: { name: string; percent: number }): string => `${cut(name, 16)}\n${percent} %`;

/** The labels of the columns that are drawn. */
const labelsOf = ({ columns }: GraphModel, hidden: ReadonlySet<number>): string[] =>
  columns.filter((_, columnIndex) => !hidden.has(columnIndex)).map(labelWithUnit);

/** The height by which a legend of several lines makes its picture taller. Round charts have none. */
export const legendGrowth = (style: ChartStyle, model: GraphModel, hidden: ReadonlySet<number>, widthPx: number): number =>
  isRound(style) ? 0 : legendLinePx * (legendLines(labelsOf(model, hidden), widthPx) - 1);

/** Lines that the legend wraps into, by the usual width of its letters. */
function legendLines(labels: readonly string[], widthPx: number): number {
  const [iconPx, letterPx, gapPx] = [30, 6.4, 10];
  let [lines, x] = [1, 0];
  for (const label of labels) {
    const width = iconPx + legendText(label).length * letterPx + gapPx;
    if (x > 0 && x + width > widthPx - 32) [lines, x] = [lines + 1, 0];
    x += width;
  }
  return lines;
}

/** Creates the ECharts option of a graph. */
export function chartOption(style: ChartStyle, model: GraphModel, context: ChartContext) {
  const { theme, standalone } = context;
  const visibleColumns = model.columns.map((_, columnIndex) => columnIndex).filter((columnIndex) => !context.hidden.has(columnIndex));
  const common = {
    animation: false,
    textStyle: { fontFamily: theme.font, fontSize: 11 },
    aria: { enabled: true, label: { description: context.description } },
    ...(standalone ? { backgroundColor: theme.background } : {}),
  };
  const heading = standalone ? titleOption(standalone, theme).title : [];
  return isRound(style)
    ? { ...common, ...roundOption(style, model, context, visibleColumns, heading) }
    : { ...common, title: heading, ...axesOption(style, model, context, visibleColumns) };
}

function axesOption(style: ChartStyle, model: GraphModel, context: ChartContext, visibleColumns: readonly number[]) {
  const { type, stacked, logAxis, bridged } = style;
  const { groups, columns, values } = model;
  const { theme, standalone, tooltip } = context;
  const isMany = groups.length > largeGroupCount;
  const axes = valueAxes(model, visibleColumns);
  const hasAxisNames = axes.some(({ name }) => name !== "");
  const labels = labelsOf(model, context.hidden);
  return {
    ...(standalone
      ? {
          legend: {
            type: "plain",
            selectedMode: false,
            data: labels,
            top: titleHeight(standalone),
            left: 16,
            right: 16,
            formatter: legendText,
            textStyle: { color: theme.mutedText },
          },
        }
      : {}),
    grid: {
      left: standalone ? 16 : 4,
      right: standalone || axes.length === 1 ? endRoom(groups) : 4,
      top:
        (standalone ? titleHeight(standalone) + 12 + legendLinePx * legendLines(labels, standalone.widthPx) : 12) + (hasAxisNames ? 18 : 0),
      bottom: standalone ? 16 : 4,
      outerBoundsMode: "same",
      outerBoundsContain: "axisLabel",
    },
    tooltip: {
      trigger: "axis",
      confine: true,
      className: "fairway-chart-tooltip",
      transitionDuration: 0,
      axisPointer: {
        type: type === "bar" ? "shadow" : "line",
        lineStyle: { color: theme.strongLine, type: "dashed" },
        shadowStyle: { color: theme.line, opacity: 0.5 },
      },
      ...(tooltip ? { formatter: (params: unknown) => tooltip(indexOf(params), null) } : {}),
    },
    xAxis: groupAxis(groups, theme),
    yAxis: yAxes(style, model, axes, theme),
    // The bridges come last, so that the index of a column's series is that of the column.
    series: [...visibleColumns.map(seriesOf), ...(type === "line" && !(stacked && !logAxis) && bridged !== false ? bridges() : [])],
  };

  function seriesOf(columnIndex: number) {
    const column = columns[columnIndex];
    const isStacked = stacked && !logAxis;
    const { color, numbers, side } = drawnColumn(columnIndex);
    return {
      type: type === "line" ? "line" : "bar",
      name: column ? labelWithUnit(column) : "",
      yAxisIndex: side,
      ...(isStacked ? { stack: `axis ${side}` } : {}),
      itemStyle: { color },
      ...(type === "line"
        ? {
            lineStyle: { color, width: 2, ...(column?.isDashed ? { type: "dashed" } : {}) },
            ...(isStacked ? { areaStyle: { color, opacity: 0.2 } } : {}),
            symbol: "circle",
            symbolSize: 5,
            ...(isMany ? { sampling: "lttb", showSymbol: false } : { showAllSymbol: true }),
          }
        : { barMaxWidth: 48, barGap: "10%", ...(isMany && !stacked ? { large: true } : {}) }),
      data: type === "line" && !isMany ? withIsolatedPoints(numbers) : numbers,
    };
  }

  /** Dashed lines across groups without a value, below the lines of the columns. */
  function bridges() {
    return visibleColumns.map(drawnColumn).flatMap(({ color, numbers, side }) =>
      hasInnerGap(numbers)
        ? [
            {
              type: "line",
              yAxisIndex: side,
              z: 1,
              silent: true,
              connectNulls: true,
              showSymbol: false,
              itemStyle: { color },
              lineStyle: { color, width: 1.5, type: "dashed", opacity: 0.6 },
              emphasis: { disabled: true },
              tooltip: { show: false },
              data: numbers,
            },
          ]
        : [],
    );
  }

  function drawnColumn(columnIndex: number) {
    const { color = theme.mutedText } = columns[columnIndex] ?? {};
    const side = axes.findIndex(({ columnIndexes }) => columnIndexes.includes(columnIndex));
    return { color, side, numbers: values.map((line) => drawableValue(numberOf(line[columnIndex] ?? null), logAxis)) };
  }
}

/** Whether there is a group without a value between two that have one. */
const hasInnerGap = (numbers: readonly (number | null)[]): boolean => {
  const first = numbers.findIndex((number) => number !== null);
  const last = numbers.findLastIndex((number) => number !== null);
  return first >= 0 && numbers.slice(first, last).includes(null);
};

/** A logarithmic axis has no zero or negative values. */
const drawableValue = (number: number | null, logAxis: boolean): number | null =>
  number !== null && logAxis && number <= 0 ? null : number;

/** An isolated point has no line, so only it is drawn as a dot. */
function withIsolatedPoints(numbers: readonly (number | null)[]) {
  return numbers.map((value, index) =>
    value !== null && ((numbers[index - 1] ?? null) !== null || (numbers[index + 1] ?? null) !== null) ? { value, symbol: "none" } : value,
  );
}

function roundOption(
  { type }: ChartStyle,
  model: GraphModel,
  context: ChartContext,
  visibleColumns: readonly number[],
  heading: readonly object[],
) {
  const { theme, standalone, tooltip } = context;
  const { groups, columns, values } = model;
  const width = 100 / Math.max(1, visibleColumns.length);
  const centerOf = (index: number): string => `${width * (index + 0.5)}%`;
  const isNarrow = standalone !== undefined && standalone.widthPx < narrowPx;
  const centerY = standalone && standalone.title !== null ? "58%" : "50%";
  const [outer, inner] = standalone ? ["58%", "36%"] : visibleColumns.length > 1 ? ["72%", "45%"] : ["94%", "59%"];
  const titles = visibleColumns.flatMap((columnIndex, index): object[] => {
    const label = columns[columnIndex]?.label ?? "";
    const total = type === "doughnut" ? totalOf(model, columnIndex) : null;
    const position = { left: centerOf(index), textAlign: "center", padding: 0 } as const;
    const small = { color: theme.mutedText, fontSize: 12, fontWeight: 400, fontFamily: theme.font };
    if (total !== null && total > 0)
      return [
        {
          ...position,
          top: centerY,
          textVerticalAlign: "middle",
          itemGap: 2,
          text: formatCount(total),
          subtext: isNarrow ? cut(label, 16) : label,
          textStyle: { color: theme.text, fontSize: 20, fontWeight: 600, fontFamily: theme.font },
          subtextStyle: small,
        },
      ];
    return visibleColumns.length > 1 ? [{ ...position, bottom: 0, text: label, textStyle: small }] : [];
  });
  return {
    title: [...heading, ...titles],
    tooltip: {
      trigger: "item",
      confine: true,
      className: "fairway-chart-tooltip",
      transitionDuration: 0,
      ...(tooltip ? { formatter: (params: unknown) => tooltip(groupOf(params), columnOf(params, visibleColumns)) } : {}),
    },
    series: visibleColumns.map((columnIndex, index) => ({
      type: "pie",
      name: columns[columnIndex]?.label ?? "",
      // Separate boxes keep the pies apart in narrow charts.
      left: `${width * index}%`,
      width: `${width}%`,
      center: ["50%", centerY],
      radius: [type === "doughnut" ? inner : 0, outer],
      label: { show: standalone !== undefined, color: theme.text, formatter: isNarrow ? narrowLabel : "{b}: {d} %" },
      labelLine: { show: standalone !== undefined },
      emphasis: { scale: false, itemStyle: { opacity: 0.85 } },
      itemStyle: { borderColor: theme.background, borderWidth: groups.length > 200 ? 0 : 1.5 },
      data: groups.flatMap(({ label, color }, group) => {
        const value = numberOf(values[group]?.[columnIndex] ?? null);
        return value !== null && value > 0 ? [{ name: label, value, group, itemStyle: { color } }] : [];
      }),
    })),
  };
}

function indexOf(params: unknown): number {
  const [first] = Array.isArray(params) ? (params as { dataIndex?: number }[]) : [];
  return first?.dataIndex ?? 0;
}

/** The group of a slice. Empty slices are omitted, so the data index does not identify it. */
export const groupOf = (params: unknown): number => (params as { data?: { group?: number } }).data?.group ?? 0;

const columnOf = (params: unknown, visibleColumns: readonly number[]): number =>
  visibleColumns[(params as { seriesIndex?: number }).seriesIndex ?? 0] ?? 0;
