import type { BreakdownAnswer } from "@fairway/contract/breakdowns";
import { formatCount, pluralize } from "@fairway/contract/counts";
import { Box, Button, Group, TextInput } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from "react";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { DataTable } from "#ui/kit/data-table.tsx";
import { nextRowIndex } from "#ui/next-row-index.ts";
import { labelOfId } from "@fairway/contract/charts/measure-wording";
import { pressedGroup } from "./model/pressed-group.ts";
import { figureBound, pivotCells, type RowOrder, rowsOf, shownRows, type SummaryRow } from "@fairway/contract/charts/table-rows";
import { type Asked, measureId } from "@fairway/contract/charts/asked";
import { orderOf, type StoredSummary } from "./model/summary.ts";
import { groupColumns } from "./group-columns.tsx";
import { GroupMenu, useGroupMenu } from "./group-menu.tsx";
import type { CardActions } from "./card-actions.ts";
import classes from "./summaries.module.css";

const firstRows = 50;
const rowsPerStep = 200;
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
  const [find, setFind] = useState("");
  const [order, setOrder] = useState<RowOrder | null>(null);
  const [visible, setVisible] = useState(firstRows);
  const rows = useMemo(() => rowsOf(answer, columns), [answer, columns]);
  const cells = useMemo(() => pivotCells(answer), [answer]);
  const bounded = order === null || order.by === "group" ? 0 : order.by;
  const shown = useMemo(() => shownRows(rows, { find, order, bounded }), [rows, find, order, bounded]);
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
    <div ref={region} onKeyDown={onKeyDown}>
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
      <Bound find={find} asked={asked} measure={bounded} found={shown.length} onKeep={onChange} onKept={() => setFind("")} />
      <DataTable
        columns={groupColumns({
          summary,
          answer,
          rows,
          hasBars,
          order,
          shownOrder: order ?? orderOf(asked),
          onOrder: setOrder,
          groupButton,
        })}
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
