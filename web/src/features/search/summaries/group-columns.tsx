import type { BreakdownAnswer, BreakdownGrouping } from "@fairway/contract/breakdowns";
import type { ReactNode } from "react";
import type { TableColumn } from "#ui/kit/data-table.tsx";
import { IconArrowDown } from "#ui/icons/arrow-down.ts";
import { IconArrowUp } from "#ui/icons/arrow-up.ts";
import { changeText, figureNumber, figureText, percentText } from "@fairway/contract/charts/figures";
import { groupingName, measureLabel } from "@fairway/contract/charts/measure-wording";
import { rangeLabel } from "@fairway/contract/charts/sentence";
import {
  barOf,
  barScale,
  type BarScale,
  type FigureOf,
  figureOf,
  rowCountPlace,
  type RowOrder,
  type SummaryRow,
} from "@fairway/contract/charts/table-rows";
import type { StoredSummary } from "./model/summary.ts";
import { mostBars } from "@fairway/contract/charts/chart-model";
import classes from "./summaries.module.css";

interface HeadParts {
  /** The order of the rows, also as the answer has it. */
  shownOrder: RowOrder | null;
  onOrder: (order: RowOrder) => void;
}

interface FigureParts extends HeadParts {
  summary: StoredSummary;
  answer: BreakdownAnswer;
  rows: readonly SummaryRow[];
  hasBars: boolean;
}

type Measure = BreakdownAnswer["measures"][number];

export const estimateHint = "An estimate, which the engine computes faster than the exact figure.";

interface GroupColumn extends HeadParts {
  rows: readonly SummaryRow[];
  grouping: BreakdownGrouping | undefined;
  /** Groups have their color in front. */
  hasSwatches: boolean;
  groupButton: (row: SummaryRow) => ReactNode;
}

/** The column that names the groups. */
export const groupColumn = ({ rows, grouping, hasSwatches, groupButton, ...head }: GroupColumn): TableColumn<SummaryRow> => ({
  id: "group",
  header: <SortButton {...head} name={grouping ? groupingName(grouping) : "Group"} by="group" />,
  ...sortedBy(head.shownOrder, "group", "value"),
  isRowHeader: true,
  nowrap: true,
  foot: "All rows",
  widest: (
    <span className={classes["group"]}>
      {hasSwatches && <i className={classes["swatch"]} />}
      {longest(rows, ({ label }) => label)}
    </span>
  ),
  cell: groupButton,
});

/** The columns of their figures, and beside a comparison those before and what changed. */
export const figureColumns = (parts: FigureParts): TableColumn<SummaryRow>[] =>
  parts.answer.measures.flatMap((measure, index) => {
    const value = [valueColumn(parts, measure, index)];
    return parts.answer.compare === null ? value : value.concat(changeColumns(parts, measure, index));
  });

const longest = (rows: readonly SummaryRow[], textOf: (row: SummaryRow) => string): string =>
  rows.reduce((most, row) => {
    const text = textOf(row);
    return text.length > most.length ? text : most;
  }, "");

const labelAt = ({ breakdown }: StoredSummary, index: number): string => {
  const measure = breakdown.measures[index];
  return measure ? measureLabel(measure) : "";
};

function valueColumn(parts: FigureParts, measure: Measure, index: number): TableColumn<SummaryRow> {
  const { summary, answer, rows, hasBars } = parts;
  const isDrawn = hasBars && index === 0;
  const scale = barScale(rows);
  const textOf = ({ values }: SummaryRow): string => figureText(values[index], measure);
  // A phone has room for one figure beside the first: the rows, or without them the change of a comparison.
  const isFirst = index === 0 || index === rowCountPlace(answer);
  return {
    id: measure.id,
    header: <SortButton {...parts} name={labelAt(summary, index)} unit={measure.unit} by={index} />,
    ...sortedBy(parts.shownOrder, index, "value"),
    align: isDrawn ? undefined : "end",
    nowrap: true,
    tabular: true,
    ...(measure.isEstimate ? { tooltip: () => estimateHint } : {}),
    className: isDrawn ? classes["bars"] : isFirst ? undefined : classes["optional"],
    foot: figureText(answer.totals?.all.values[index], measure),
    widest: isDrawn ? <Bar value={null} scale={scale} text={longest(rows, textOf)} /> : longest(rows, textOf),
    cell: (row, place) => {
      const text = textOf(row);
      return isDrawn ? <Bar value={place < mostBars ? figureNumber(row.values[index]) : null} scale={scale} text={text} /> : text;
    },
  };
}

/** All three of the first measure, so that a table of several stays readable. */
function changeColumns(parts: FigureParts, measure: Measure, index: number): TableColumn<SummaryRow>[] {
  const { summary, answer, rows } = parts;
  const { totals, compare } = answer;
  const all = totals ? { values: totals.all.values, before: totals.all.before ?? null } : null;
  const name = index === 0 ? "" : ` of ${labelAt(summary, index)}`;
  const headers: Record<Exclude<FigureOf, "value">, string> = {
    before: `${compare ? rangeLabel(compare.timeRange) : "Before"}${name}`,
    change: `Change${name}`,
    percent: `Change in %${name}`,
  };
  const textOf = (of: FigureOf, row: Pick<SummaryRow, "values" | "before">): string => {
    const figure = figureOf(row, index, of);
    if (of === "percent") return percentText(figure);
    return of === "change" ? changeText(figure, measure) : figureText(figure, measure);
  };
  const kinds = index === 0 ? (["before", "change", "percent"] as const) : (["change"] as const);
  return kinds.map((of): TableColumn<SummaryRow> => ({
    id: `${measure.id} ${of}`,
    header: <SortButton {...parts} name={headers[of]} by={index} of={of} />,
    sorted: sortedBy(parts.shownOrder, index, of).sorted,
    align: "end",
    nowrap: true,
    tabular: true,
    className: of === "change" && index === 0 && rowCountPlace(answer) < 0 ? undefined : classes["optional"],
    cellClassName: () => (of === "before" ? classes["before"] : undefined),
    foot: all ? textOf(of, all) : "",
    widest: longest(rows, (row) => textOf(of, row)),
    cell: (row) => textOf(of, row),
  }));
}

function Bar({ value, scale, text }: { value: number | null; scale: BarScale; text: string }) {
  const bar = value === null ? null : barOf(value, scale);
  return (
    <div className={classes["barCell"]}>
      <span className={classes["bar"]} aria-hidden>
        {bar !== null && (
          <i
            data-cut={bar.isCut || undefined}
            title={bar.isCut ? "Longer than there is room for" : undefined}
            style={{ left: `${bar.from * 100}%`, width: `${(bar.to - bar.from) * 100}%` }}
          />
        )}
      </span>
      <span className={classes["barText"]}>{text}</span>
    </div>
  );
}

const isOrderedBy = (order: RowOrder | null, by: RowOrder["by"], of: FigureOf): boolean =>
  order !== null && order.by === by && (order.of ?? "value") === of;

const sortedBy = (order: RowOrder | null, by: RowOrder["by"], of: FigureOf): Pick<TableColumn<SummaryRow>, "sorted"> =>
  isOrderedBy(order, by, of) ? { sorted: order?.descending ? "descending" : "ascending" } : {};

interface SortButtonProps extends HeadParts {
  name: string;
  unit?: string | null;
  by: RowOrder["by"];
  of?: FigureOf;
}

/** Sorts by a column; figures from the highest on first. */
function SortButton({ name, unit = null, by, of = "value", shownOrder, onOrder }: SortButtonProps) {
  const isSorted = isOrderedBy(shownOrder, by, of);
  const Arrow = shownOrder?.descending ? IconArrowDown : IconArrowUp;
  const descending = isSorted ? !shownOrder?.descending : by !== "group";
  return (
    <button type="button" className={classes["sort"]} onClick={() => onOrder({ by, of, descending })}>
      {isSorted && <Arrow size={14} aria-hidden />}
      {name}
      {unit !== null && unit !== "%" && <small>{unit}</small>}
    </button>
  );
}
