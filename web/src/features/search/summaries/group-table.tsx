import type { BreakdownAnswer } from "@fairway/contract/breakdowns";
import { formatCount } from "@fairway/contract/counts";
import { Box, Button, TextInput } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from "react";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { DataTable, type TableColumn } from "#ui/kit/data-table.tsx";
import { IconArrowDown } from "#ui/icons/arrow-down.ts";
import { IconArrowUp } from "#ui/icons/arrow-up.ts";
import { nextRowIndex } from "#ui/next-row-index.ts";
import { figureNumber, figureText, fullFigureText } from "./model/figures.ts";
import { groupingName, measureLabel } from "./model/measure-wording.ts";
import { rowCountPlace, type RowOrder, rowsOf, shownRows, type SummaryRow } from "./model/table-rows.ts";
import type { StoredSummary } from "./model/summary.ts";
import { GroupMenu, useGroupMenu } from "./group-menu.tsx";
import type { CardActions } from "./card-actions.ts";
import classes from "./summaries.module.css";

const firstRows = 50;
const rowsPerStep = 200;
/** With more groups, a box finds some of them. */
const rowsWithoutFind = 10;

interface Props extends Pick<CardActions, "onOpen"> {
  record: SearchRecord;
  summary: StoredSummary;
  title: string;
  answer: BreakdownAnswer;
  hasBars: boolean;
}

/** The groups of one grouping, with a bar for the first measure. Arrows move through the groups, and Enter opens the menu of one. */
export function GroupTable({ record, summary, title, answer, hasBars, onOpen }: Props) {
  const { columns } = record.datasetDescription.schema;
  const [grouping] = summary.breakdown.by ?? [];
  const [find, setFind] = useState("");
  const [order, setOrder] = useState<RowOrder | null>(null);
  const [visible, setVisible] = useState(firstRows);
  const rows = useMemo(() => rowsOf(answer, columns), [answer, columns]);
  const shown = useMemo(() => shownRows(rows, { find, order }), [rows, find, order]);
  const [active, setActive] = useState<string | null>(null);
  const menu = useGroupMenu();
  const region = useRef<HTMLDivElement>(null);
  const inTable = shown.slice(0, visible);
  const activeKey = inTable.some(({ key }) => key === active) ? active : (inTable[0]?.key ?? null);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset["group"] === undefined) return;
    const index = inTable.findIndex(({ key }) => key === activeKey);
    const next = nextRowIndex(event.key, index, inTable.length, 10);
    const row = next === undefined ? undefined : inTable[next];
    if (row === undefined) return;
    event.preventDefault();
    setActive(row.key);
    region.current?.querySelectorAll<HTMLElement>("[data-group]")[next ?? 0]?.focus();
  };
  const countPlace = rowCountPlace(answer);
  const fullName = ({ label, values }: SummaryRow): string =>
    [label, ...answer.measures.map((measure, index) => `${labelAt(summary, index)} ${fullFigureText(values[index], measure)}`)].join(", ");
  const groupButton = (row: SummaryRow) => (
    <button
      type="button"
      data-group
      id={menu.idOf(row.key)}
      className={classes["group"]}
      tabIndex={row.key === activeKey ? 0 : -1}
      aria-haspopup="menu"
      aria-expanded={menu.isOpen(row.key)}
      aria-label={fullName(row)}
      onFocus={() => setActive(row.key)}
      onClick={(event) => menu.open(row.key, event.currentTarget)}
    >
      {row.label}
    </button>
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- arrows move through the buttons of its groups
    <div ref={region} onKeyDown={onKeyDown}>
      {rows.length > rowsWithoutFind && (
        <TextInput
          className={classes["find"] ?? ""}
          aria-label={`Find in ${title}`}
          placeholder="Find a group"
          value={find}
          onChange={(event) => setFind(event.currentTarget.value)}
        />
      )}
      <DataTable
        columns={[
          groupColumn({ name: grouping ? groupingName(grouping) : "Group", order, onOrder: setOrder, button: groupButton }),
          ...measureColumns({ summary, answer, rows, hasBars, order, onOrder: setOrder, countPlace }),
        ]}
        rows={inTable}
        rowKey={({ key }) => key}
        marks={({ entry: { kind } }) => ({ "data-rest": kind === "other" || kind === "empty" || kind === "outside" || undefined })}
        scroll={{ role: "region", label: `Table of ${title}`, className: classes["scroll"] }}
        after={
          shown.length > visible && (
            <Box py="sm">
              <Button variant="subtle" onClick={() => setVisible(visible + rowsPerStep)}>
                {`Show more groups (${formatCount(shown.length - visible)} left)`}
              </Button>
            </Box>
          )
        }
        head="line"
        hasStickyHead
        hovers
        className={classes["groups"]}
      />
      {find !== "" && shown.length === 0 && <p className={classes["note"]}>No group has this text.</p>}
      <GroupMenu
        record={record}
        menu={menu}
        groupOf={(key) => {
          const row = rows.find((one) => one.key === key);
          if (!row) return null;
          const count = countPlace < 0 ? null : figureNumber(row.values[countPlace]);
          const lines = answer.measures.map((measure, index) => `${labelAt(summary, index)} ${fullFigureText(row.values[index], measure)}`);
          return { name: row.label, lines, rows: count, entries: [row.entry] };
        }}
        onOpen={onOpen}
      />
    </div>
  );
}

const labelAt = ({ breakdown }: StoredSummary, index: number): string => {
  const measure = breakdown.measures[index];
  return measure ? measureLabel(measure) : "";
};

interface GroupColumn {
  name: string;
  order: RowOrder | null;
  onOrder: (order: RowOrder) => void;
  button: (row: SummaryRow) => ReactNode;
}

const groupColumn = ({ name, order, onOrder, button }: GroupColumn): TableColumn<SummaryRow> => ({
  id: "group",
  header: <SortButton name={name} by="group" order={order} onOrder={onOrder} />,
  ...sortedBy(order, "group"),
  isRowHeader: true,
  nowrap: true,
  foot: "All rows",
  cell: button,
});

interface MeasureColumns {
  summary: StoredSummary;
  answer: BreakdownAnswer;
  rows: readonly SummaryRow[];
  hasBars: boolean;
  order: RowOrder | null;
  onOrder: (order: RowOrder) => void;
  countPlace: number;
}

function measureColumns({ summary, answer, rows, hasBars, order, onOrder, countPlace }: MeasureColumns): TableColumn<SummaryRow>[] {
  const scale = barScale(rows);
  return answer.measures.map((measure, index): TableColumn<SummaryRow> => {
    const isDrawn = hasBars && index === 0;
    const header = <SortButton name={labelAt(summary, index)} unit={measure.unit} by={index} order={order} onOrder={onOrder} />;
    return {
      id: measure.id,
      header,
      ...sortedBy(order, index),
      align: isDrawn ? undefined : "end",
      nowrap: true,
      tabular: true,
      className: isDrawn ? classes["bars"] : index === 0 || index === countPlace ? undefined : classes["optional"],
      foot: figureText(answer.totals?.all.values[index], measure),
      cell: ({ values }) => {
        const text = figureText(values[index], measure);
        return isDrawn ? <Bar value={figureNumber(values[index])} scale={scale} text={text} /> : text;
      },
    };
  });
}

interface Scale {
  /** At most 0. */
  low: number;
  /** At least 0. */
  high: number;
}

function barScale(rows: readonly SummaryRow[]): Scale {
  const numbers = rows.map(({ values }) => figureNumber(values[0]) ?? 0);
  return { low: Math.min(0, ...numbers), high: Math.max(0, ...numbers) };
}

function Bar({ value, scale: { low, high }, text }: { value: number | null; scale: Scale; text: string }) {
  const span = high - low || 1;
  const from = (Math.min(value ?? 0, 0) - low) / span;
  return (
    <div className={classes["barCell"]}>
      <span className={classes["bar"]} aria-hidden>
        {value !== null && <i style={{ left: `${from * 100}%`, width: `${(Math.abs(value) / span) * 100}%` }} />}
      </span>
      <span className={classes["barText"]}>{text}</span>
    </div>
  );
}

const sortedBy = (order: RowOrder | null, by: RowOrder["by"]): Pick<TableColumn<SummaryRow>, "sorted"> =>
  order?.by === by ? { sorted: order.descending ? "descending" : "ascending" } : {};

interface SortButtonProps {
  name: string;
  unit?: string | null;
  by: RowOrder["by"];
  order: RowOrder | null;
  onOrder: (order: RowOrder) => void;
}

/** Sorts by a column; figures from the highest on first. */
function SortButton({ name, unit = null, by, order, onOrder }: SortButtonProps) {
  const isSorted = order?.by === by;
  const Arrow = order?.descending ? IconArrowDown : IconArrowUp;
  const descending = isSorted ? !order.descending : by !== "group";
  return (
    <button type="button" className={classes["sort"]} onClick={() => onOrder({ by, descending })}>
      {isSorted && <Arrow size={14} aria-hidden />}
      {name}
      {unit !== null && unit !== "%" && <small>{unit}</small>}
    </button>
  );
}
