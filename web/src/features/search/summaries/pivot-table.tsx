import type { BreakdownAnswer } from "@fairway/contract/breakdowns";
import type { CellValue } from "@fairway/contract/search";
import { type CSSProperties, type KeyboardEvent, useMemo, useRef, useState } from "react";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { figureNumber, figureText, fullFigureText } from "./model/figures.ts";
import { groupingName, measureLabel } from "./model/measure-wording.ts";
import { shadeOf, shadesOf } from "./model/shades.ts";
import { fewRows, headsOf, pivotCells, rowCountPlace } from "./model/table-rows.ts";
import type { StoredSummary } from "./model/summary.ts";
import { GroupMenu, useGroupMenu } from "./group-menu.tsx";
import type { CardActions } from "./card-actions.ts";
import classes from "./summaries.module.css";

interface Props extends Pick<CardActions, "onOpen"> {
  record: SearchRecord;
  summary: StoredSummary;
  title: string;
  answer: BreakdownAnswer;
  isShaded: boolean;
}

const steps: Partial<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** The first measure of two groupings, with the totals of both. Arrows move through the cells, and Enter opens the menu of one. */
export function PivotTable({ record, summary, title, answer, isShaded, onOpen }: Props) {
  const { columns } = record.datasetDescription.schema;
  const [down, across] = answer.by;
  const [measure] = answer.measures;
  const cells = useMemo(() => pivotCells(answer), [answer]);
  const shades = useMemo(() => shadesOf(answer), [answer]);
  const [active, setActive] = useState<readonly [number, number]>([0, 0]);
  const menu = useGroupMenu();
  const table = useRef<HTMLTableElement>(null);
  if (down === undefined || across === undefined || measure === undefined) return null;
  const [rowHeads, columnHeads] = [headsOf(down, columns), headsOf(across, columns)];
  const countPlace = rowCountPlace(answer);
  const countOf = (values: readonly CellValue[] | undefined): number | null =>
    countPlace < 0 ? null : (figureNumber(values?.[countPlace]) ?? 0);
  const lineOf = (values: readonly CellValue[] | undefined, index: number): string => {
    const [asked, answered] = [summary.breakdown.measures[index], answer.measures[index]];
    return asked && answered ? `${measureLabel(asked)} ${fullFigureText(values?.[index], answered)}` : "";
  };
  const nameAt = (row: number, column: number): string => `${rowHeads[row]?.label}, ${columnHeads[column]?.label}`;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const row = Math.max(0, Math.min(rowHeads.length - 1, active[0] + step[0]));
    const column = Math.max(0, Math.min(columnHeads.length - 1, active[1] + step[1]));
    setActive([row, column]);
    table.current?.querySelector<HTMLElement>(`[data-at="${row},${column}"]`)?.focus();
  };
  const totalsOf = (axis: number, index: number): string => figureText(answer.totals?.axes[axis]?.[index]?.values[0], measure);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by the keyboard
    <div role="region" aria-label={`Table of ${title}`} tabIndex={0} className={classes["scroll"]}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move through the buttons of its cells */}
      <table ref={table} className={classes["pivot"]} data-shaded={isShaded || undefined} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            <td className={classes["corner"]}>{(summary.breakdown.by ?? []).map(groupingName).join(" by ")}</td>
            {columnHeads.map(({ key, label }) => (
              <th key={key} scope="col" title={label}>
                {label}
              </th>
            ))}
            <th scope="col">All</th>
          </tr>
        </thead>
        <tbody>
          {rowHeads.map(({ key: rowKey, label, place: row }) => (
            <tr key={rowKey}>
              <th scope="row" title={label}>
                {label}
              </th>
              {columnHeads.map(({ key: columnKey, place: column }) => {
                const key = `${row},${column}`;
                const values = cells.get(key);
                const count = countOf(values);
                const shade = isShaded ? shadeOf(figureNumber(values?.[0]), shades) : null;
                return (
                  <td
                    key={columnKey}
                    data-few={(count !== null && count < fewRows && values !== undefined) || undefined}
                    data-hue={shade?.hue}
                    style={shade ? ({ "--shade": `${shade.percent}%` } as CSSProperties) : undefined}
                  >
                    <button
                      type="button"
                      data-at={key}
                      id={menu.idOf(key)}
                      tabIndex={active[0] === row && active[1] === column ? 0 : -1}
                      aria-haspopup="menu"
                      aria-expanded={menu.isOpen(key)}
                      aria-label={[nameAt(row, column), ...answer.measures.map((_, index) => lineOf(values, index))].join(", ")}
                      onFocus={() => setActive([row, column])}
                      onClick={(event) => menu.open(key, event.currentTarget)}
                    >
                      {figureText(values?.[0], measure)}
                    </button>
                  </td>
                );
              })}
              <td data-total>{totalsOf(0, row)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All rows</th>
            {columnHeads.map(({ key, place }) => (
              <td key={key} data-total>
                {totalsOf(1, place)}
              </td>
            ))}
            <td data-total>{figureText(answer.totals?.all.values[0], measure)}</td>
          </tr>
        </tfoot>
      </table>
      <GroupMenu
        record={record}
        menu={menu}
        groupOf={(key) => {
          const [row = 0, column = 0] = key.split(",").map(Number);
          const [first, second] = [down.entries[row], across.entries[column]];
          if (!first || !second) return null;
          const values = cells.get(key);
          const lines = answer.measures.map((_, index) => lineOf(values, index));
          return { name: nameAt(row, column), lines, rows: countOf(values), entries: [first, second] };
        }}
        onOpen={onOpen}
      />
    </div>
  );
}
