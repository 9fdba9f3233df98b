import { formatCount } from "@fairway/contract/counts";
import { Box, Button } from "@mantine/core";
import { IconListSearch } from "#ui/icons/list-search.ts";
import { useState } from "react";
import { IconButton } from "#ui/icon-button.tsx";
import { shareText } from "./tooltip.ts";
import { type GraphModel, sumOf, totalOf, withoutGroups } from "@fairway/contract/charts/graph-model";
import { numberOf } from "@fairway/contract/charts/graph-values";
import { valueText } from "@fairway/contract/charts/graph-wording";
import type { Group } from "@fairway/contract/charts/graph";
import { DataTable, type TableColumn } from "#ui/kit/data-table.tsx";
import { formOfGraphColumn } from "#features/search/graphs/model/coarse-marks.ts";
import type { CoarseColumns } from "#parts/reader-part/coarse-columns.ts";
import { CoarseMark } from "#parts/reader-part/coarse-mark.tsx";
import classes from "./chart.module.css";

const rowsPerStep = 200;
/** Up to this number of groups, the table shows all rows without scrolling. */
const maxShortRows = 20;

interface Props {
  title: string;
  model: GraphModel;
  coarse: CoarseColumns;
  /** The legend of a round chart: each group with its color, which a press hides in the chart. Null for other charts. */
  legend: { hidden: ReadonlySet<string>; onToggle: (groupId: string) => void } | null;
  /** Searches the rows of a group. Undefined in a preview. */
  onGroup: ((group: Group) => void) | undefined;
  /** Whether a search can have the rows of this group. */
  canSearch?: ((group: Group) => boolean) | undefined;
}

/** The values of a graph as a table, accessible by keyboard. */
export function GraphTable({ title, model, coarse, legend, onGroup, canSearch }: Props) {
  const [visibleRows, setVisibleRows] = useState(rowsPerStep);
  const { groups } = model;
  return (
    <DataTable
      columns={columnsOf({ model, coarse, legend, onGroup, canSearch })}
      rows={groups.slice(0, visibleRows)}
      rowKey={({ id }) => id}
      marks={({ id }) => ({ "data-hidden": legend?.hidden.has(id) || undefined })}
      scroll={{
        role: "region",
        label: `Table of ${title}`,
        className: groups.length <= maxShortRows ? undefined : classes["scroll"],
      }}
      after={
        groups.length > visibleRows && (
          <Box py="sm">
            <Button variant="subtle" onClick={() => setVisibleRows(visibleRows + rowsPerStep)}>
              {`Show more groups (${formatCount(groups.length - visibleRows)} left)`}
            </Button>
          </Box>
        )
      }
      head="line"
      hasStickyHead
      hovers
      className={classes["table"]}
    />
  );
}

function columnsOf({ model, coarse, legend, onGroup, canSearch }: Omit<Props, "title">): readonly TableColumn<Group>[] {
  const { columns, values } = model;
  const shown = legend ? withoutGroups(model, legend.hidden) : model;
  const totals = columns.map((_, columnIndex) => sumOf(shown, columnIndex));
  const total = legend && columns.length === 1 ? totalOf(shown, 0) : null;
  const hasTotals = totals.some((sum) => sum !== null);
  const hasShare = total !== null && total > 0;
  const shownColumns: TableColumn<Group>[] = [
    {
      id: "group",
      header: "Group",
      isRowHeader: true,
      nowrap: true,
      foot: hasTotals ? "Total" : undefined,
      cell: (group) =>
        legend ? (
          <button
            type="button"
            className={classes["legendItem"]}
            aria-pressed={!legend.hidden.has(group.id)}
            onClick={() => legend.onToggle(group.id)}
          >
            <i className={classes["swatch"]} style={{ background: group.color }} />
            {group.label}
          </button>
        ) : (
          group.label
        ),
    },
    ...columns.map(({ label, unit, column }, columnIndex): TableColumn<Group> => ({
      id: `value ${column.id}`,
      align: "end",
      nowrap: true,
      header: (
        <>
          <CoarseMark form={formOfGraphColumn(column, coarse)} />
          {label} {unit !== "" && <span className={classes["unit"]}>({unit})</span>}
        </>
      ),
      foot: hasTotals ? valueText(totals[columnIndex] ?? null) : undefined,
      cell: (_, index) => valueText(values[index]?.[columnIndex] ?? null),
    })),
  ];
  if (hasShare)
    shownColumns.push({
      id: "share",
      header: "Share",
      align: "end",
      nowrap: true,
      foot: hasTotals ? "100 %" : undefined,
      cell: ({ id }, index) => (legend?.hidden.has(id) ? "–" : shareText(numberOf(values[index]?.[0] ?? null) ?? 0, total)),
    });
  if (onGroup)
    shownColumns.push({
      id: "rows",
      header: "Rows",
      nowrap: true,
      className: classes["tools"],
      cell: (group) =>
        canSearch?.(group) !== false && (
          <IconButton label={`Search the rows of ${group.label}`} onClick={() => onGroup(group)}>
            <IconListSearch size={16} aria-hidden />
          </IconButton>
        ),
    });
  return shownColumns;
}
