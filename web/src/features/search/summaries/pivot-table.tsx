import type { BreakdownAnswer } from "@fairway/contract/breakdowns";
import { type CSSProperties, type KeyboardEvent, useMemo, useRef, useState } from "react";
import { signedColumns } from "#parts/reader-part/coarse-columns.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { figureNumber, figureText, shortFigure } from "@fairway/contract/charts/figures";
import { groupingName, labeledBreakdown } from "@fairway/contract/charts/measure-wording";
import { pressedGroup } from "./model/pressed-group.ts";
import { shadeOf, shadesOf } from "@fairway/contract/charts/shades";
import { fewRows, headsOf, pivotCells, pivotRows, rowCountPlace } from "@fairway/contract/charts/table-rows";
import type { StoredSummary } from "./model/summary.ts";
import { GroupMenu, useGroupMenu } from "./group-menu.tsx";
import type { CardActions } from "./card-actions.ts";
import classes from "./summaries.module.css";

interface Props extends Pick<CardActions, "onOpen"> {
  record: SearchRecord;
  summary: StoredSummary;
  title: string;
  answer: BreakdownAnswer;
  /** The place of the measure that its cells show. */
  figure: number;
  isShaded: boolean;
}

const steps: Partial<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/**
 * A measure of two groupings, with the totals of both; with three, the first one heads blocks of rows. Arrows move through the cells,
 * and Enter opens the menu of one.
 */
export function PivotTable({ record, summary, title, answer, figure, isShaded, onOpen }: Props) {
  const { columns } = record.datasetDescription.schema;
  const measure = answer.measures[figure];
  const across = answer.by.at(-1);
  const cells = useMemo(() => pivotCells(answer), [answer]);
  const shades = useMemo(() => shadesOf(answer, figure), [answer, figure]);
  const [active, setActive] = useState<readonly [number, number]>([0, 0]);
  const menu = useGroupMenu();
  const table = useRef<HTMLTableElement>(null);
  const blocks = useMemo(() => pivotRows(answer, columns), [answer, columns]);
  const columnHeads = useMemo(() => (across ? headsOf(across, columns) : []), [across, columns]);
  if (across === undefined || measure === undefined) return null;
  const rows = blocks.flatMap((block) => block.rows);
  const answered = { asked: summary.breakdown, answer, columns, cells };
  const countPlace = rowCountPlace(answer);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const row = Math.max(0, Math.min(rows.length - 1, active[0] + step[0]));
    const column = Math.max(0, Math.min(columnHeads.length - 1, active[1] + step[1]));
    setActive([row, column]);
    table.current?.querySelector<HTMLElement>(`[data-at="${row},${column}"]`)?.focus();
  };
  const text = isShaded ? shortFigure : figureText;
  const totalText = (axis: number, index: number): string => text(answer.totals?.axes[axis]?.[index]?.values[figure], measure);
  const lastAxis = answer.by.length - 1;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by the keyboard
    <div role="region" aria-label={`Table of ${title}`} tabIndex={0} className={classes["scroll"]}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move through the buttons of its cells */}
      <table ref={table} className={classes["pivot"]} data-shaded={isShaded || undefined} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {/* The title names both groupings; beside shades, they need the room. */}
            <td className={classes["corner"]}>
              {isShaded
                ? null
                : (labeledBreakdown(summary.breakdown, signedColumns(record.datasetDescription)).by ?? []).map(groupingName).join(" by ")}
            </td>
            {columnHeads.map(({ key, label }) => (
              <th key={key} scope="col" title={label}>
                {label}
              </th>
            ))}
            <th scope="col">All</th>
          </tr>
        </thead>
        {blocks.map(({ head, rows: inBlock }) => (
          <tbody key={head?.key ?? "all"}>
            {head && (
              <tr className={classes["blockHead"]}>
                <th scope="rowgroup" colSpan={columnHeads.length + 1} title={head.label}>
                  {head.label}
                </th>
                <td data-total>{totalText(0, head.place)}</td>
              </tr>
            )}
            {inBlock.map(({ key: rowKey, label, at, line: row }) => {
              return (
                <tr key={rowKey}>
                  <th scope="row" title={label}>
                    {label}
                  </th>
                  {columnHeads.map(({ key: columnKey, place }, column) => {
                    const places = [...at, place];
                    const key = places.join();
                    const values = cells.get(key)?.values;
                    const count = countPlace < 0 || !values ? null : figureNumber(values[countPlace]);
                    const shade = isShaded ? shadeOf(figureNumber(values?.[figure]), shades) : null;
                    const group = pressedGroup(answered, places);
                    return (
                      <td
                        key={columnKey}
                        data-few={(count !== null && count < fewRows) || undefined}
                        data-hue={shade?.hue}
                        style={shade ? ({ "--shade": `${shade.percent}%` } as CSSProperties) : undefined}
                      >
                        <button
                          type="button"
                          data-at={`${row},${column}`}
                          id={menu.idOf(key)}
                          tabIndex={active[0] === row && active[1] === column ? 0 : -1}
                          aria-haspopup="menu"
                          aria-expanded={menu.isOpen(key)}
                          aria-label={group ? [group.name, ...group.lines].join(", ") : undefined}
                          onFocus={() => setActive([row, column])}
                          onClick={(event) => menu.open(key, event.currentTarget)}
                        >
                          {text(values?.[figure], measure)}
                        </button>
                      </td>
                    );
                  })}
                  {/* The rows of two of three groupings have no total of their own. */}
                  <td data-total>{at.length === 1 ? totalText(0, at[0] ?? 0) : ""}</td>
                </tr>
              );
            })}
          </tbody>
        ))}
        <tfoot>
          <tr>
            <th scope="row">All rows</th>
            {columnHeads.map(({ key, place }) => (
              <td key={key} data-total>
                {totalText(lastAxis, place)}
              </td>
            ))}
            <td data-total>{text(answer.totals?.all.values[figure], measure)}</td>
          </tr>
        </tfoot>
      </table>
      {answer.by.length > 2 && <p className={classes["note"]}>Totals are those of single groupings, so the rows of a block have none.</p>}
      <GroupMenu record={record} menu={menu} groupOf={(key) => pressedGroup(answered, key.split(",").map(Number))} onOpen={onOpen} />
    </div>
  );
}
