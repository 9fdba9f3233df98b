import { IconArrowBarDown } from "#ui/icons/arrow-bar-down.ts";
import { IconArrowBarUp } from "#ui/icons/arrow-bar-up.ts";
import { IconArrowsVertical } from "#ui/icons/arrows-vertical.ts";
import { plural } from "@fairway/contract/counts";
import { memo, type ReactNode } from "react";
import { BlockKind } from "./blocks.ts";
import { type LinedText, lineText } from "./line-starts.ts";
import { LineText } from "./line-text.tsx";
import type { ComparedTexts } from "./run-comparison.ts";
import type { FoldRow, LineRow, PositionRange } from "./row-model.ts";
import type { Syntax } from "./syntax.ts";
import classes from "./text-difference.module.css";

/** How the rows are laid out: one text, or two of them. */
export type RowLayout = "single" | "unified" | "split";

const kindNames = ["same", "changed", "removed", "added", "ignored", "ignored"] as const;

interface LineProps {
  row: LineRow;
  index: number;
  compared: ComparedTexts;
  layout: RowLayout;
  syntax: Syntax;
  find: RegExp | null;
  /** The offset of the current match on either side; -1 if it is elsewhere. */
  matchBefore: number;
  matchAfter: number;
  isActive: boolean;
  isTarget: boolean;
  gutter: ReactNode;
}

/** A row of one line, or of two side by side. */
export const Line = memo(
  function Line({ row, index, compared, layout, syntax, find, matchBefore, matchAfter, isActive, isTarget, gutter }: LineProps) {
    const { before, after, type, counterpart } = row;
    const isSplitChange = type === BlockKind.changed;
    const text = (side: "before" | "after", line: number, other: number, match: number) => (
      <LineContent
        compared={compared}
        side={side}
        line={line}
        counterpart={other}
        syntax={syntax}
        find={find}
        currentMatch={match}
        change={layout === "single" ? null : changeOf(type, side)}
      />
    );
    const numberCell = (line: number, control: ReactNode) => (
      <span role={line < 0 ? "gridcell" : "rowheader"} className={classes["number"]}>
        {line < 0 ? "" : line + 1}
        {control !== null && <span className={classes["gutter"]}>{control}</span>}
      </span>
    );
    const emptyCell = <span role="gridcell" aria-label="none" className={classes["empty"]} />;
    return (
      <div
        role="row"
        aria-rowindex={index + 2}
        tabIndex={isActive ? 0 : -1}
        className={classes["line"]}
        data-row={index}
        data-kind={layout === "single" ? "same" : kindNames[type]}
        {...(before < 0 || layout === "single" ? {} : { "data-before-line": before + 1 })}
        {...(after < 0 ? {} : { "data-line": after + 1 })}
        {...(isTarget ? { "data-target": true } : {})}
      >
        {layout !== "single" && numberCell(before, null)}
        {layout === "split" && (before < 0 ? emptyCell : text("before", before, isSplitChange ? after : -1, matchBefore))}
        {numberCell(after, gutter)}
        {layout === "split"
          ? after < 0
            ? emptyCell
            : text("after", after, isSplitChange ? before : -1, matchAfter)
          : after < 0
            ? text("before", before, counterpart, matchBefore)
            : text("after", after, counterpart, matchAfter)}
      </div>
    );
  },
  (previous, next) =>
    // Rows are made anew from the model of each rendering.
    previous.row.before === next.row.before &&
    previous.row.after === next.row.after &&
    previous.row.type === next.row.type &&
    previous.row.counterpart === next.row.counterpart &&
    (Object.keys(next) as (keyof LineProps)[]).every((name) => name === "row" || previous[name] === next[name]),
);

interface LineContentProps {
  compared: ComparedTexts;
  side: "before" | "after";
  line: number;
  counterpart: number;
  syntax: Syntax;
  find: RegExp | null;
  currentMatch: number;
  change: keyof typeof signs | null;
}

const signs = { removed: "−", added: "+" };

function changeOf(type: BlockKind, side: "before" | "after"): keyof typeof signs | null {
  if (type === BlockKind.changed) return side === "before" ? "removed" : "added";
  return type === BlockKind.removed ? "removed" : type === BlockKind.added ? "added" : null;
}

function LineContent({ compared, side, line, counterpart, syntax, find, currentMatch, change }: LineContentProps) {
  const [own, other] = side === "before" ? [compared.before, compared.after] : [compared.after, compared.before];
  const text = lineText(own, line);
  const otherText = counterpart < 0 ? null : lineText(other, counterpart);
  const ending = otherText === text ? lineEnding(own, line) : null;
  const content = <LineText text={text} counterpart={otherText} syntax={syntax} find={find} currentMatch={currentMatch} />;
  return (
    <span role="gridcell" className={classes["text"]} {...(change === null ? {} : { "data-side": side })}>
      {change !== null && (
        <>
          <span className={classes["sign"]} aria-hidden>
            {signs[change]}
          </span>
          <span className="visually-hidden">{`${change}: `}</span>
        </>
      )}
      {change === "removed" ? <del>{content}</del> : change === "added" ? <ins>{content}</ins> : content}
      {ending !== null && <span className={classes["invisible"]}>{ending}</span>}
    </span>
  );
}

/** The difference between two otherwise equal lines. */
function lineEnding({ text, starts }: LinedText, line: number): string {
  const end = starts[line + 1] ?? 0;
  if (text[end - 1] !== "\n") return "no line break at the end";
  return text[end - 2] === "\r" ? "line break CR LF" : "line break LF";
}

/** Lines that a click on a fold shows. */
const step = 20;

interface FoldProps {
  row: FoldRow;
  index: number;
  layout: RowLayout;
  onReveal: (positions: PositionRange) => void;
}

/** A row that replaces unchanged lines. */
export function Fold({ row: { positions, hasAbove, hasBelow }, index, layout, onReveal }: FoldProps) {
  const [from, to] = positions;
  const count = to - from;
  return (
    <div role="row" aria-rowindex={index + 2} className={classes["fold"]}>
      <span role="gridcell" aria-colspan={columnCount[layout]}>
        {hasAbove && count > step && (
          <button
            type="button"
            aria-label={`Show the next ${step} lines`}
            title={`Show the next ${step} lines`}
            onClick={() => onReveal([from, from + step])}
          >
            <IconArrowBarDown size={14} aria-hidden />
          </button>
        )}
        {hasBelow && count > step && (
          <button
            type="button"
            aria-label={`Show the previous ${step} lines`}
            title={`Show the previous ${step} lines`}
            onClick={() => onReveal([to - step, to])}
          >
            <IconArrowBarUp size={14} aria-hidden />
          </button>
        )}
        <button
          type="button"
          onClick={() => onReveal(positions)}
          aria-label={`Show ${count.toLocaleString("en-US")} unchanged ${plural(count, "line")}`}
        >
          <IconArrowsVertical size={14} aria-hidden />
          {`${count.toLocaleString("en-US")} unchanged ${plural(count, "line")}`}
        </button>
      </span>
    </div>
  );
}

/** The caller's content below a line. */
export function Below({ index, layout, children }: { index: number; layout: RowLayout; children: ReactNode }) {
  return (
    <div role="row" aria-rowindex={index + 2} className={classes["below"]}>
      <div role="gridcell" aria-colspan={columnCount[layout]}>
        {children}
      </div>
    </div>
  );
}

export const columnCount: Record<RowLayout, number> = { single: 2, unified: 3, split: 4 };
