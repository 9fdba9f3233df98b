import { useWindowEvent } from "@mantine/hooks";
import { IconSearch } from "#ui/icons/search.ts";
import { pluralize } from "@fairway/contract/counts";
import { Stack } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useFindMatches } from "#lib/text/use-find-matches.ts";
import { useFind } from "#lib/text/use-find.ts";
import { FindBox } from "#ui/find-box.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { isDialogOpen } from "#ui/dialog/open-dialogs.ts";
import { findInTexts, type TextMatch } from "./find-in-texts.ts";
import { around, createRowModel, type PositionRange, type Side } from "./row-model.ts";
import type { ComparedTexts } from "./run-comparison.ts";
import { lineCount } from "./line-starts.ts";
import { type Syntax, syntaxOf } from "./syntax.ts";
import type { RowLayout } from "./text-row.tsx";
import { type RowsHandle, TextRows } from "./text-rows.tsx";
import { ChangeSteps } from "./change-steps.tsx";
import classes from "./text-difference.module.css";
import { pressed } from "#ui/shortcut-keys.ts";

/**
 * Props that both views share. Lines are numbered from 1, as in `readableText`: of minified JSON, the lines of the formatted text. Of a
 * difference, they are those of `after`.
 */
export interface TextViewProps {
  /** Accessible name of the lines, such as "Differences of iterations 3 and 4". */
  label: string;
  /** Told from the beginning of the text if it is missing. */
  syntax?: Syntax;
  /** First items of the toolbar, such as the choice of iterations. */
  tools?: ReactNode;
  /**
   * A control of up to 20 × 20 px beside the number of a line, with an accessible name of its own. Drawn only for the active line
   * (arrow keys, click) and the one under the pointer, so that Tab does not stop at every line.
   */
  gutter?: (line: number) => ReactNode;
  /** Content below lines, which are never folded. Unmounted while it is scrolled away: keep drafts elsewhere. Memoize the map. */
  below?: ReadonlyMap<number, ReactNode>;
  /** Other lines that are never folded. Memoize the list. */
  unfolded?: readonly number[];
  /** Scrolls to the line, highlights it and moves the focus to it whenever this is another object. Lines beyond the end are ignored. */
  target?: { readonly line: number } | undefined;
}

interface TextViewOptions extends TextViewProps {
  compared: ComparedTexts;
  layout: RowLayout;
  names: readonly [before: string, after: string] | null;
  folds: boolean;
  /** Last items of the toolbar. */
  options: ReactNode;
  /** Shown above the lines. */
  note: ReactNode;
}

const noLines: readonly number[] = [];
const nothingBelow: ReadonlyMap<number, ReactNode> = new Map();

/** Browsers limit the height of an element to some 17 million pixels. */
const maxRows = 800_000;

/** The lines of one text or of two compared ones, with a toolbar. */
export function TextView(props: TextViewOptions) {
  const {
    label,
    syntax,
    tools,
    gutter,
    below = nothingBelow,
    unfolded = noLines,
    target,
    compared,
    layout,
    names,
    folds,
    options,
    note,
  } = props;
  const { blocks, shownLines } = compared;
  const [revealed, setRevealed] = useState<readonly PositionRange[]>([]);
  const [change, setChange] = useState(-1);
  const rows = useRef<RowsHandle>(null);

  /** The index of the shown line; -1 if the text is shorter. */
  const indexOf = useCallback(
    (line: number) => (shownLines ? (shownLines[line - 1] ?? -1) : line <= lineCount(compared.after) ? line - 1 : -1),
    [shownLines, compared],
  );
  const belowLines = useMemo(() => groupBelow(below, indexOf), [below, indexOf]);
  const belowIndexes = useMemo(() => [...belowLines.keys()].toSorted((one, other) => one - other), [belowLines]);
  const model = useMemo(() => {
    const all = { isSplit: layout === "split", folds, revealed, below: belowIndexes };
    if (unfolded.length === 0) return createRowModel(blocks, all);
    const { positionOfLine } = createRowModel(blocks, { ...all, folds: false });
    const positions = unfolded.map((line) => positionOfLine("after", indexOf(line))).filter((position) => position >= 0);
    return createRowModel(blocks, { ...all, revealed: [...revealed, ...positions.map(around)] });
  }, [blocks, layout, folds, revealed, belowIndexes, unfolded, indexOf]);
  const shownModel = useMemo(() => (model.rowCount > maxRows ? { ...model, rowCount: maxRows } : model), [model]);

  const find = useFind();
  const [isFindOpen, setFindOpen] = useState(false);
  const search = useCallback((pattern: RegExp, signal: AbortSignal) => findInTexts(compared, pattern, signal), [compared]);
  const match = useFindMatches(find.pattern, search, find.onFound)[find.current];

  /** The line to show; a new object shows it again. */
  const [wanted, setWanted] = useState<{ side: Side; line: number; focuses: boolean } | null>(null);
  const goTo = (side: Side, line: number, focuses: boolean) => {
    const position = shownModel.positionOfLine(side, line);
    if (position < 0) return;
    if (shownModel.rowOfLine(side, line) < 0) setRevealed([...revealed, around(position)]);
    setWanted({ side, line, focuses });
  };
  const lastShown = useRef(wanted);
  useEffect(() => {
    if (!wanted || lastShown.current === wanted) return;
    lastShown.current = wanted;
    rows.current?.show(shownModel.rowOfLine(wanted.side, wanted.line), { focuses: wanted.focuses });
  }, [wanted, shownModel]);

  const [seen, setSeen] = useState<{ compared: ComparedTexts; match: TextMatch | undefined; target: TextViewProps["target"] }>({
    compared,
    match: undefined,
    target: undefined,
  });
  if (seen.compared !== compared || seen.match !== match || seen.target !== target) {
    setSeen({ compared, match, target });
    if (seen.compared !== compared) {
      // Other options make other positions.
      setRevealed([]);
      setChange(-1);
    }
    if (match && match !== seen.match) goTo(match.side, match.line, false);
    if (target && target !== seen.target) goTo("after", indexOf(target.line), true);
  }

  const reveal = (positions: PositionRange) => {
    setRevealed([...revealed, positions]);
    // The button that was pressed may be gone.
    const position = lineAtPosition(compared, positions[0]);
    if (position) setWanted({ ...position, focuses: true });
  };
  useWindowEvent("keydown", (event) => {
    if (!pressed(event, "text.find")) return;
    if (isFindOpen || event.defaultPrevented || isDialogOpen()) return;
    event.preventDefault();
    setFindOpen(true);
  });
  const closeFind = () => {
    setFindOpen(false);
    find.setQuery("");
  };

  const changes = layout === "single" ? noLines : shownModel.changes;
  const step = (by: 1 | -1, focuses: boolean) => {
    const from = rows.current?.activeRow() ?? -1;
    const after = changes.findIndex((row) => row > from);
    const next = by > 0 ? (after < 0 ? 0 : after) : changes.findLastIndex((row) => row < (from < 0 ? Infinity : from));
    const index = next < 0 ? changes.length - 1 : next;
    const row = changes[index];
    if (row === undefined) return;
    setChange(index);
    rows.current?.show(row, { focuses });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (changes.length === 0) return;
    const isNext = pressed(event, "changes.next");
    const key = isNext ?? pressed(event, "changes.previous");
    // Letters are text in a field.
    if (key === null || (isTyping(event) && key.length === 1)) return;
    event.preventDefault();
    step(isNext ? 1 : -1, !isTyping(event));
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- shortcuts of the buttons in it
    <Stack gap={0} flex={1} miw={0} mih={0} h="100%" onKeyDown={onKeyDown}>
      <div className={classes["tools"]}>
        {tools}
        {layout === "single" ? (
          <span className={classes["counts"]}>{pluralize(lineCount(compared.after), "line")}</span>
        ) : (
          <Counts compared={compared} />
        )}
        <div className={classes["actions"]}>
          {changes.length > 0 && <ChangeSteps current={change} count={changes.length} onStep={(by) => step(by, false)} />}
          <IconButton label="Find" aria-expanded={isFindOpen} onClick={() => (isFindOpen ? closeFind() : setFindOpen(true))}>
            <IconSearch size={16} aria-hidden />
          </IconButton>
          {options}
        </div>
      </div>
      {isFindOpen && <FindBox label="Find in text" find={find} onClose={closeFind} />}
      {note}
      {model.rowCount > maxRows && (
        <p className={classes["note"]} role="note">{`Shows the first ${maxRows.toLocaleString("en-US")} lines.`}</p>
      )}
      <TextRows
        ref={rows}
        label={label}
        names={names}
        compared={compared}
        model={shownModel}
        layout={layout}
        syntax={syntax ?? syntaxOf(compared.after.text === "" ? compared.before.text : compared.after.text)}
        find={isFindOpen ? find.pattern : null}
        currentMatch={match}
        targetLine={target ? indexOf(target.line) : -1}
        gutter={shownLines ? undefined : gutter}
        below={(index) => belowLines.get(index)}
        onReveal={reveal}
      />
    </Stack>
  );
}

/** Several lines of a formatted text may be one line of the shown text. */
function groupBelow(below: ReadonlyMap<number, ReactNode>, indexOf: (line: number) => number): ReadonlyMap<number, ReactNode> {
  const groups = new Map<number, ReactNode[]>();
  for (const [line, node] of below) {
    const index = indexOf(line);
    if (index < 0) continue;
    const group = groups.get(index) ?? [];
    group.push(<div key={line}>{node}</div>);
    groups.set(index, group);
  }
  return groups;
}

/** The line at a position. */
function lineAtPosition({ blocks }: ComparedTexts, position: number): { side: Side; line: number } | undefined {
  const row = createRowModel(blocks, { isSplit: true, folds: false, revealed: [], below: [] }).rowAt(position);
  if (row.kind !== "line") return undefined;
  return row.after < 0 ? { side: "before", line: row.before } : { side: "after", line: row.after };
}

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

function Counts({ compared: { addedCount, removedCount } }: { compared: ComparedTexts }) {
  if (addedCount === 0 && removedCount === 0) return <span className={classes["counts"]}>Both are the same.</span>;
  return (
    <span className={classes["counts"]}>
      <span className={classes["added"]}>{`${addedCount.toLocaleString("en-US")} added`}</span>
      {", "}
      <span className={classes["removed"]}>{`${removedCount.toLocaleString("en-US")} removed`}</span>
    </span>
  );
}
