import { plural } from "@fairway/contract/counts";
import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { IconChevronRight } from "#ui/icons/chevron-right.ts";
import { IconCopy } from "#ui/icons/copy.ts";
import { IconRoute } from "#ui/icons/route.ts";
import { memo } from "react";
import { Highlighted } from "#ui/highlighted.tsx";
import type { RowLine } from "./raw-model.ts";
import classes from "./raw-json.module.css";

/** Longer texts are truncated on screen; Copy value copies all of it. */
const maxShownLength = 4_000;

interface RawLineProps {
  /** Zero-based. */
  number: number;
  line: RowLine;
  top: number;
  isActive: boolean;
  isMatch: boolean;
  find: RegExp | null;
  measure: ((element: HTMLElement | null) => void) | undefined;
}

/**
 * A line with its number, fold button and, while hovered or active, copy buttons. The pane handles clicks. Uses plain
 * buttons for performance: hundreds of lines mount and unmount while scrolling.
 */
export const RawLine = memo(function RawLine({ number, line, top, isActive, isMatch, find, measure }: RawLineProps) {
  const { key, text, kind, depth, comma, entries } = line;
  const canFold = (kind === "open" || kind === "folded") && line.row >= 0;
  const tabIndex = isActive ? 0 : -1;
  const shown = text.length > maxShownLength ? text.slice(0, maxShownLength) : text;
  return (
    <div
      ref={measure}
      role="row"
      aria-level={depth + 1}
      aria-rowindex={number + 1}
      {...(canFold ? { "aria-expanded": kind === "open" } : {})}
      tabIndex={tabIndex}
      data-index={number}
      {...(isMatch ? { "data-current": true } : {})}
      className={classes["line"]}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span role="gridcell" className={classes["gutter"]}>
        <span aria-hidden>{number + 1}</span>
        {canFold && (
          <button
            type="button"
            tabIndex={-1}
            data-action="fold"
            className={classes["fold"]}
            aria-label={kind === "open" ? `Fold line ${number + 1}` : `Unfold line ${number + 1}`}
          >
            {kind === "open" ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
          </button>
        )}
      </span>
      <span role="gridcell" className={classes["code"]}>
        {"  ".repeat(depth)}
        {key !== undefined && (
          <>
            <span className={classes["key"]}>
              <Highlighted text={JSON.stringify(key)} find={find} />
            </span>
            {": "}
          </>
        )}
        <span className={classes[kind]}>
          <Highlighted text={shown} find={find} />
        </span>
        {comma && ","}
        {shown.length < text.length && (
          <span className={classes["note"]}>{` … ${(text.length - shown.length).toLocaleString("en-US")} more characters`}</span>
        )}
        {kind === "folded" && <span className={classes["note"]}>{` ${entries} ${plural(entries, "entry", "entries")}`}</span>}
      </span>
      {line.row >= 0 && kind !== "close" && (
        <span role="gridcell" className={classes["copy"]}>
          <button type="button" tabIndex={tabIndex} data-action="copy-path" aria-label="Copy path" title="Copy path">
            <IconRoute size={14} aria-hidden />
          </button>
          <button type="button" tabIndex={tabIndex} data-action="copy-value" aria-label="Copy value" title="Copy value">
            <IconCopy size={14} aria-hidden />
          </button>
        </span>
      )}
    </div>
  );
});
