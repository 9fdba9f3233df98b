import type { useVirtualizer } from "@tanstack/react-virtual";
import {
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from "react";
import { useVirtualList } from "#ui/kit/use-virtual-list.ts";
import type { TextMatch } from "./find-in-texts.ts";
import type { ComparedTexts } from "./run-comparison.ts";
import type { LineRow, PositionRange, RowModel, Side } from "./row-model.ts";
import type { Syntax } from "./syntax.ts";
import { Below, columnCount, Fold, Line, type RowLayout } from "./text-row.tsx";
import classes from "./text-difference.module.css";

/** Rows are measured in groups: measuring each of 400,000 rows on its own blocks the page. */
const groupRows = 8;
const rowHeightPx = 20;
/** More than any model has; numbers as keys are cheaper than texts. */
const maxGroups = 1_000_000;

/** A line as the user sees it, which stays the same when rows are folded or unfolded. */
export interface LinePosition {
  side: Side;
  line: number;
}

export interface RowsHandle {
  /** Scrolls to a row, makes its line the active one, and moves the focus to it on request. */
  show: (row: number, options: { focuses: boolean }) => void;
  /** The row of the active line; -1 if there is none. */
  activeRow: () => number;
}

interface TextRowsProps {
  ref: RefObject<RowsHandle | null>;
  label: string;
  /** Names of the columns. */
  names: readonly [before: string, after: string] | null;
  compared: ComparedTexts;
  model: RowModel;
  layout: RowLayout;
  syntax: Syntax;
  find: RegExp | null;
  currentMatch: TextMatch | undefined;
  /** Index of the highlighted line; -1 for none. */
  targetLine: number;
  gutter: ((line: number) => ReactNode) | undefined;
  below: (line: number) => ReactNode;
  onReveal: (positions: PositionRange) => void;
}

/** The rows of a comparison as a virtual grid. Arrow keys move between lines. */
export function TextRows(props: TextRowsProps) {
  const { ref, label, names, compared, model, layout, syntax, find, currentMatch, targetLine, gutter, below, onReveal } = props;
  const [active, setActive] = useState<LinePosition | null>(null);
  const [hovered, setHovered] = useState(-1);
  const activeRow = useMemo(() => (active ? model.rowOfLine(active.side, active.line) : -1), [active, model]);
  const activeGroup = Math.floor(activeRow / groupRows);
  const { scroller, virtualizer } = useVirtualList({
    count: Math.ceil(model.rowCount / groupRows),
    estimateSize: useCallback((group: number) => Math.min(groupRows, model.rowCount - group * groupRows) * rowHeightPx, [model]),
    getItemKey: useCallback((group: number) => model.version * maxGroups + group, [model]),
    // Without it, the first rows would be rendered only once the page is laid out, all at once.
    initialRect: { width: 0, height: innerHeight },
    overscan: 1,
    paddingEnd: 24,
    kept: activeGroup,
  });
  // Another model has other rows in a group: all groups on the page are measured anew, and the heights of the others forgotten.
  const { version } = model;
  const measure = useCallback(
    (group: HTMLElement | null) => virtualizer.measureElement(version > 0 ? group : null),
    [virtualizer, version],
  );

  const scrollToRow = useScrollToRow(scroller, virtualizer);
  const show = (row: number, focuses: boolean) => {
    const shown = model.rowAt(row);
    if (shown.kind === "line") setActive(positionOf(shown));
    scrollToRow(row, focuses);
  };
  useImperativeHandle(ref, () => ({ show: (row, { focuses }) => show(row, focuses), activeRow: () => activeRow }));

  const step = (from: number, by: number) => {
    let row = from;
    do row += Math.sign(by);
    while (row >= 0 && row < model.rowCount && model.rowAt(row).kind !== "line");
    if (row < 0 || row >= model.rowCount) return;
    const last = Math.max(0, Math.min(model.rowCount - 1, from + by));
    show(Math.abs(by) === 1 || model.rowAt(last).kind !== "line" ? row : last, true);
  };
  const onKeyDown = (event: React.KeyboardEvent<HTMLElement>) => {
    const isOnRow = event.target instanceof Element && (event.target === scroller.current || event.target.hasAttribute("data-row"));
    if (!isOnRow || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const first = (virtualizer.range?.startIndex ?? 0) * groupRows - 1;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeightPx) - 2);
    const from = activeRow < 0 ? first : activeRow;
    if (event.key === "ArrowDown") step(from, 1);
    else if (event.key === "ArrowUp") step(from, -1);
    else if (event.key === "PageDown") step(from, page);
    else if (event.key === "PageUp") step(from, -page);
    else if (event.key === "Home") step(-1, 1);
    else if (event.key === "End") step(model.rowCount, -1);
    else return;
    event.preventDefault();
  };
  const rowOf = (event: PointerEvent | React.FocusEvent | React.MouseEvent): number => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-row]") : null;
    return Number(row?.dataset["row"] ?? -1);
  };
  const activate = (event: React.FocusEvent | React.MouseEvent) => {
    const index = rowOf(event);
    const row = index < 0 || index >= model.rowCount ? undefined : model.rowAt(index);
    if (row?.kind === "line" && index !== activeRow) setActive(positionOf(row));
  };

  const lineCounts = [compared.before.starts.length, compared.after.starts.length];
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-readonly
      aria-rowcount={model.rowCount + 1}
      aria-colcount={columnCount[layout]}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- rows have a roving tabindex once one is active
      tabIndex={activeRow < 0 ? 0 : -1}
      className={classes["scroller"]}
      data-layout={layout}
      style={{ ["--digits" as string]: String(Math.max(...lineCounts)).length }}
      onKeyDown={onKeyDown}
      onClick={activate}
      onFocus={activate}
      onPointerOver={(event) => setHovered(event.pointerType === "mouse" ? rowOf(event) : -1)}
      onPointerLeave={() => setHovered(-1)}
    >
      <Heads layout={layout} names={names} />
      <div role="presentation" className={classes["rows"]} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => (
          <div
            key={item.index}
            ref={measure}
            data-index={item.index}
            role="rowgroup"
            className={classes["group"]}
            style={{ transform: `translateY(${item.start}px)` }}
          >
            {Array.from({ length: Math.min(groupRows, model.rowCount - item.index * groupRows) }, (_, offset) => {
              const index = item.index * groupRows + offset;
              const row = model.rowAt(index);
              if (row.kind === "fold")
                return <Fold key={`fold ${row.positions[0]}`} row={row} index={index} layout={layout} onReveal={onReveal} />;
              if (row.kind === "below") {
                return (
                  <Below key={`below ${row.after}`} index={index} layout={layout}>
                    {below(row.after)}
                  </Below>
                );
              }
              const hasGutter = gutter !== undefined && row.after >= 0 && (index === activeRow || index === hovered);
              const isMatch = (side: Side) => currentMatch?.side === side && currentMatch.line === row[side];
              return (
                <Line
                  key={`${row.before} ${row.after}`}
                  row={row}
                  index={index}
                  compared={compared}
                  layout={layout}
                  syntax={syntax}
                  find={find}
                  matchBefore={isMatch("before") ? (currentMatch?.offset ?? -1) : -1}
                  matchAfter={isMatch("after") ? (currentMatch?.offset ?? -1) : -1}
                  isActive={index === activeRow}
                  isTarget={row.after >= 0 && row.after === targetLine}
                  gutter={hasGutter ? gutter(row.after + 1) : null}
                />
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}

const positionOf = (row: LineRow): LinePosition =>
  row.after < 0 ? { side: "before", line: row.before } : { side: "after", line: row.after };

function Heads({ layout, names }: { layout: RowLayout; names: readonly [before: string, after: string] | null }) {
  const [before, after] = names ?? ["", ""];
  const heads =
    layout === "single"
      ? ["Line", "Text"]
      : layout === "unified"
        ? [`Line in ${before}`, `Line in ${after}`, "Text"]
        : [`Line in ${before}`, before, `Line in ${after}`, after];
  return (
    <div role="row" aria-rowindex={1} className={layout === "split" ? classes["heads"] : "visually-hidden"}>
      {heads.map((head) => (
        <span key={head} role="columnheader">
          {layout === "split" && head.startsWith("Line in ") ? <span className="visually-hidden">{head}</span> : head}
        </span>
      ))}
    </div>
  );
}

const maxCorrections = 10;

/**
 * Scrolls to a row: first to where it should be by the estimated heights, then, as groups around it are measured, to where it is.
 * Rows that are visible anyway stay where they are.
 */
function useScrollToRow(
  scroller: RefObject<HTMLDivElement | null>,
  virtualizer: ReturnType<typeof useVirtualizer<HTMLDivElement, Element>>,
): (row: number, focuses: boolean) => void {
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  return (row, focuses) => {
    cancelAnimationFrame(frame.current);
    let needsFocus = focuses;
    const find = () => scroller.current?.querySelector<HTMLElement>(`[data-row="${row}"]`);
    const settle = (left: number) => {
      const view = scroller.current?.getBoundingClientRect();
      const element = find();
      if (!view || !scroller.current) return;
      if (element) {
        const { top, bottom } = element.getBoundingClientRect();
        if (needsFocus) element.focus({ preventScroll: true });
        // Only once: the user may go on by then.
        needsFocus = false;
        const isVisible = top >= view.top + rowHeightPx * 2 && bottom <= view.bottom - rowHeightPx;
        const wanted = view.top + view.height / 3;
        if (!isVisible) scroller.current.scrollTop += top - wanted;
        else if (left < maxCorrections - 2) return;
      }
      if (left > 0) frame.current = requestAnimationFrame(() => settle(left - 1));
    };
    if (!find()) {
      const [start] = virtualizer.getOffsetForIndex(Math.floor(row / groupRows), "start") ?? [0];
      const height = scroller.current?.clientHeight ?? 0;
      virtualizer.scrollToOffset(Math.max(0, start + (row % groupRows) * rowHeightPx - height / 3));
    }
    frame.current = requestAnimationFrame(() => settle(maxCorrections));
  };
}
