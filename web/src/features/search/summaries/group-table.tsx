import type { BreakdownAnswer } from "@fairway/contract/breakdowns";
import { formatCount, pluralize } from "@fairway/contract/counts";
import { Button, Group, TextInput } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useCallback, useMemo, useState } from "react";
import { flushSync } from "react-dom";
import { signedColumns } from "#parts/reader-part/coarse-columns.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { DataTable } from "#ui/kit/data-table.tsx";
import { useVirtualRows } from "#ui/kit/use-virtual-rows.ts";
import { nextRowIndex } from "#ui/next-row-index.ts";
import { restInTable } from "@fairway/contract/charts/chart-model";
import { labeledBreakdown, labelOfId } from "@fairway/contract/charts/measure-wording";
import { pressedGroup } from "./model/pressed-group.ts";
import { figureBound, isLast, pivotCells, type RowOrder, rowsOf, shownRows, type SummaryRow } from "@fairway/contract/charts/table-rows";
import { type Asked, measureId } from "@fairway/contract/charts/asked";
import { orderOf, type StoredSummary } from "./model/summary.ts";
import { figureColumns, groupColumn } from "./group-columns.tsx";
import { GroupMenu, useGroupMenu } from "./group-menu.tsx";
import type { CardActions } from "./card-actions.ts";
import classes from "./summaries.module.css";

/** With more groups, the document holds those in view. */
const rowsAtOnce = 100;
const rowPx = 28;
const headPx = 32;
/** With more groups, a box finds some of them. */
const rowsWithoutFind = 10;

interface Props extends Pick<CardActions, "onOpen" | "onChange"> {
  record: SearchRecord;
  summary: StoredSummary;
  title: string;
  answer: BreakdownAnswer;
  hasBars: boolean;
  /** The colors of slices, by the places of their groups; null beside other pictures. */
  colors: readonly string[] | null;
  /** Beside the box that finds groups. */
  sentence: ReactNode;
}

/** The groups of one grouping, with a bar for the first measure. Arrows move through the groups, and Enter opens the menu of one. */
export function GroupTable({ record, summary, title, answer, hasBars, colors, sentence, onOpen, onChange }: Props) {
  const { columns } = record.datasetDescription.schema;
  const { breakdown: asked } = summary;
  const words = useMemo(() => labeledBreakdown(asked, signedColumns(record.datasetDescription)), [asked, record.datasetDescription]);
  const [find, setFind] = useState("");
  const [order, setOrder] = useState<RowOrder | null>(null);
  const rows = useMemo(() => rowsOf(answer, columns), [answer, columns]);
  const cells = useMemo(() => pivotCells(answer), [answer]);
  const bounded = order === null || order.by === "group" ? 0 : order.by;
  const shown = useMemo(() => shownRows(rows, { find, order, bounded }), [rows, find, order, bounded]);
  const shownOrder = useMemo(() => order ?? orderOf(asked), [order, asked]);
  const figures = useMemo(
    () => figureColumns({ summary: { ...summary, breakdown: words }, answer, rows, hasBars, shownOrder, onOrder: setOrder }),
    [summary, words, answer, rows, hasBars, shownOrder],
  );
  const [active, setActive] = useState<string | null>(null);
  const menu = useGroupMenu();
  const pinned = shown.filter(isLast);
  const plain = pinned.length === 0 ? shown : shown.slice(0, -pinned.length);
  const activeKey = shown.some(({ key }) => key === active) ? active : (shown[0]?.key ?? null);
  const virtual = useVirtualRows({
    count: plain.length,
    rowPx,
    headPx,
    overscan: 12,
    kept: plain.findIndex(({ key }) => key === activeKey),
    // A new function computes where all rows are again.
    keyOf: useCallback((index: number) => shown[index]?.key ?? index, [shown]),
  });
  const rest = hasBars ? restInTable(shown.length, "have a bar") : null;
  const isVirtual = plain.length > rowsAtOnce;
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset["group"] === undefined) return;
    const index = shown.findIndex(({ key }) => key === activeKey);
    const next = nextRowIndex(event.key, index, shown.length, 10);
    const row = next === undefined ? undefined : shown[next];
    if (row === undefined) return;
    event.preventDefault();
    // The row is in the document as soon as it is the active one.
    flushSync(() => setActive(row.key));
    document.getElementById(menu.idOf(row.key))?.focus();
  };
  const groupAt = ({ place }: SummaryRow) => pressedGroup({ asked, answer, columns, cells }, [place]);
  const groupButton = (row: SummaryRow) => {
    const group = groupAt(row);
    return (
      <button
        type="button"
        data-group
        id={menu.idOf(row.key)}
        className={classes["group"]}
        tabIndex={row.key === activeKey ? 0 : -1}
        aria-haspopup="menu"
        aria-expanded={menu.isOpen(row.key)}
        aria-label={group ? [group.name, ...group.lines].join(", ") : row.label}
        title={row.label}
        onFocus={() => setActive(row.key)}
        onClick={(event) => menu.open(row.key, event.currentTarget)}
      >
        {colors && <i className={classes["swatch"]} style={{ background: colors[row.place] ?? "none" }} />}
        {row.label}
      </button>
    );
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- arrows move through the buttons of its groups
    <div onKeyDown={onKeyDown}>
      <Group gap="sm" mb="xs">
        {sentence}
        {rows.length > rowsWithoutFind && (
          <TextInput
            className={classes["find"] ?? ""}
            aria-label={`Find in ${title}`}
            placeholder="Find a group, or over 15"
            value={find}
            onChange={(event) => setFind(event.currentTarget.value)}
          />
        )}
      </Group>
      {(order === null ? isOfChange(asked) : order.by !== "group") && <CutOrder asked={asked} answer={answer} onChange={onChange} />}
      {rest !== null && <p className={classes["note"]}>{rest}</p>}
      <Bound find={find} asked={asked} measure={bounded} found={shown.length} onKeep={onChange} onKept={() => setFind("")} />
      <DataTable
        columns={[
          groupColumn({ rows, grouping: words.by?.[0], hasSwatches: colors !== null, groupButton, shownOrder, onOrder: setOrder }),
          ...figures,
        ]}
        rows={plain}
        pinned={pinned}
        virtual={isVirtual ? virtual : undefined}
        rowKey={({ key }) => key}
        marks={({ entry: { kind } }) => ({ "data-rest": kind === "other" || kind === "empty" || kind === "outside" || undefined })}
        scroll={{ role: "region", label: `Table of ${title}`, className: classes["scroll"] }}
        head="panel line"
        edges="flush"
        hasStickyHead
        hovers
        className={hasBars ? `${classes["groups"]} ${classes["ranked"]}` : classes["groups"]}
      />
      {find !== "" && shown.length === 0 && figureBound(find) === null && <p className={classes["note"]}>No group has this text.</p>}
      <GroupMenu
        record={record}
        menu={menu}
        groupOf={(key) => {
          const row = rows.find((one) => one.key === key);
          return row ? groupAt(row) : null;
        }}
        onOpen={onOpen}
      />
    </div>
  );
}

/** Whether the groups are in the order of what changed, by which they are not chosen. */
const isOfChange = ({ by: [grouping] = [] }: Asked): boolean => {
  const of = grouping?.kind === "groups" ? undefined : grouping?.sort?.of;
  return of === "change" || of === "percent";
};

/** Says that an order of the screen is of the listed groups alone, which others might precede, and lists the others too. */
function CutOrder({ asked, answer, onChange }: Pick<Props, "answer" | "onChange"> & { asked: Asked }) {
  const [grouping] = asked.by ?? [];
  const [axis] = answer.by;
  if (grouping?.kind !== "value" || axis === undefined) return null;
  const listed = axis.entries.filter(({ kind }) => kind === "value").length;
  const others = axis.found - axis.failing.groups - listed;
  if (others <= 0) return null;
  const { top, ...all } = grouping;
  return (
    <div className={classes["bound"]}>
      <span role="status">{`Only the ${formatCount(listed)} groups shown are sorted; ${formatCount(others)} others are not in the list.`}</span>
      {top && (
        <Button size="compact-sm" variant="subtle" onClick={() => onChange({ ...asked, by: [all] })}>
          Show all groups
        </Button>
      )}
    </div>
  );
}

interface BoundProps {
  find: string;
  asked: Asked;
  /** By place. */
  measure: number;
  found: number;
  onKeep: (asked: Asked) => void;
  onKept: () => void;
}

/** Says which figures the box asks for, and keeps that as a condition of the summary. */
function Bound({ find, asked, measure, found, onKeep, onKept }: BoundProps) {
  const bound = figureBound(find);
  const one = asked.measures[measure];
  if (bound === null || !one) return null;
  const id = measureId(one);
  const keep = () => {
    onKeep({ ...asked, having: [...(asked.having ?? []), { measure: id, ...bound }] });
    onKept();
  };
  return (
    <div className={classes["bound"]}>
      <span role="status">{`${pluralize(found, "group")} with ${labelOfId(asked, id)} ${bound.operator} ${bound.value.toLocaleString("en-US")}`}</span>
      <Button size="compact-sm" variant="subtle" onClick={keep}>
        Keep as condition
      </Button>
    </div>
  );
}
