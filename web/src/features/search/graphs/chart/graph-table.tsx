import { formatCount } from "@fairway/contract/counts";
import { Button } from "@mantine/core";
import { IconListSearch } from "#ui/icons/list-search.ts";
import { useState } from "react";
import { IconButton } from "#ui/icon-button.tsx";
import { shareText } from "./tooltip.ts";
import { type GraphModel, sumOf, totalOf, withoutGroups } from "#features/search/graphs/model/graph-model.ts";
import { numberOf } from "#features/search/graphs/model/graph-values.ts";
import { valueText } from "#features/search/graphs/model/graph-wording.ts";
import type { Group } from "#features/search/graphs/model/graph.ts";
import classes from "./graph-table.module.css";

const rowsPerStep = 200;
/** Up to this number of groups, the table shows all rows without scrolling. */
const maxShortRows = 20;

interface Props {
  title: string;
  model: GraphModel;
  /** The legend of a round chart: each group with its color, which a press hides in the chart. Null for other charts. */
  legend: { hidden: ReadonlySet<string>; onToggle: (groupId: string) => void } | null;
  /** Searches the rows of a group. Undefined in a preview. */
  onGroup: ((group: Group) => void) | undefined;
  /** Whether a search can have the rows of this group. */
  canSearch?: ((group: Group) => boolean) | undefined;
}

/** The values of a graph as a table, accessible by keyboard. */
export function GraphTable({ title, model, legend, onGroup, canSearch }: Props) {
  const [visibleRows, setVisibleRows] = useState(rowsPerStep);
  const { groups, columns, values } = model;
  const shown = legend ? withoutGroups(model, legend.hidden) : model;
  const totals = columns.map((_, columnIndex) => sumOf(shown, columnIndex));
  const total = legend && columns.length === 1 ? totalOf(shown, 0) : null;
  const hasShare = total !== null && total > 0;
  const frame = groups.length <= maxShortRows ? "whole" : "scroll";
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by the keyboard
    <div className={classes[frame]} tabIndex={0} role="region" aria-label={`Table of ${title}`}>
      <table className={classes["table"]}>
        <thead>
          <tr>
            <th scope="col">Group</th>
            {columns.map(({ label, unit, column }) => (
              <th key={column.id} scope="col" className={classes["number"]}>
                {label} {unit !== "" && <span className={classes["unit"]}>({unit})</span>}
              </th>
            ))}
            {hasShare && (
              <th scope="col" className={classes["number"]}>
                Share
              </th>
            )}
            {onGroup && (
              <th scope="col" className={classes["tools"]}>
                Rows
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {groups.slice(0, visibleRows).map((group, index) => (
            <tr key={group.id} data-hidden={legend?.hidden.has(group.id) || undefined}>
              <th scope="row">
                {legend ? (
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
                )}
              </th>
              {columns.map(({ column }, columnIndex) => (
                <td key={column.id} className={classes["number"]}>
                  {valueText(values[index]?.[columnIndex] ?? null)}
                </td>
              ))}
              {hasShare && (
                <td className={classes["number"]}>
                  {legend?.hidden.has(group.id) ? "–" : shareText(numberOf(values[index]?.[0] ?? null) ?? 0, total)}
                </td>
              )}
              {onGroup && (
                <td className={classes["tools"]}>
                  {canSearch?.(group) !== false && (
                    <IconButton label={`Search the rows of ${group.label}`} onClick={() => onGroup(group)}>
                      <IconListSearch size={16} aria-hidden />
                    </IconButton>
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
        {totals.some((sum) => sum !== null) && (
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              {columns.map(({ column }, columnIndex) => (
                <td key={column.id} className={classes["number"]}>
                  {valueText(totals[columnIndex] ?? null)}
                </td>
              ))}
              {hasShare && <td className={classes["number"]}>100 %</td>}
            </tr>
          </tfoot>
        )}
      </table>
      {groups.length > visibleRows && (
        <div className={classes["more"]}>
          <Button variant="subtle" onClick={() => setVisibleRows(visibleRows + rowsPerStep)}>
            {`Show more groups (${formatCount(groups.length - visibleRows)} left)`}
          </Button>
        </div>
      )}
    </div>
  );
}
