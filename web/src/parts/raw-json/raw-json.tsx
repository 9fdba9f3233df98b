import { Button } from "@mantine/core";
import { IconCopy } from "#ui/icons/copy.ts";
import { IconTextWrap } from "#ui/icons/text-wrap.ts";
import { type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type MouseEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { copyText } from "#lib/text/copy.ts";
import { jsonText } from "#lib/text/json-text.ts";
import { useFindMatches } from "#lib/text/use-find-matches.ts";
import { rangeWith } from "#ui/kit/use-virtual-list.ts";
import { toastSuccess } from "#ui/toast/toast.ts";
import { type JsonLine, lineText, pathText } from "./json-lines.ts";
import { RawLine } from "./raw-line.tsx";
import { allFolded, findLines, type Folds, lineAt, type RawSource, type RowLine, createRawModel, withFold } from "./raw-model.ts";
import { useRawKeys } from "./use-raw-keys.ts";
import classes from "./raw-json.module.css";

const lineHeightPx = 20;
/** Browsers limit element heights to some 17 million pixels; larger results start folded. */
const maxLines = 700_000;
const noFolds: Folds = new Map();

export interface RawJsonProps {
  label: string;
  rows: readonly unknown[];
  /** The names of the rows if they are the entries of an object. */
  names?: readonly string[] | undefined;
  find: RegExp | null;
  /** Zero-based index of the current match. */
  currentMatch: number;
  onFound: (count: number) => void;
}

/** Rows, or the entries of an object, as virtualized JSON lines with folding, find and copy. */
export function RawJson({ label, rows, names, find, currentMatch, onFound }: RawJsonProps) {
  const source = useMemo(() => ({ rows, names }), [rows, names]);
  const canUnfoldAll = useMemo(() => createRawModel(source, noFolds).totalLines <= maxLines, [source]);
  const [folds, setFolds] = useState<Folds>(() => (canUnfoldAll ? noFolds : allFolded(rows)));
  const [wraps, setWraps] = useState(false);
  const [active, setActive] = useState(0);
  const model = useMemo(() => createRawModel(source, folds), [source, folds]);
  const cache = useMemo(() => ({ model, lines: new Map<number, JsonLine[]>() }).lines, [model]);
  const lineOf = (line: number): RowLine => lineAt(model, line, cache);
  const scroller = useRef<HTMLDivElement>(null);
  const activeLine = Math.min(active, model.totalLines - 1);

  const virtualizer = useVirtualizer({
    count: model.totalLines,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeightPx,
    overscan: 20,
    paddingEnd: 24,
    rangeExtractor: useCallback((range: Range) => rangeWith(activeLine, range), [activeLine]),
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, wraps, folds]);

  const search = useCallback((pattern: RegExp, signal: AbortSignal) => findLines(source, pattern, signal), [source]);
  const match = useFindMatches(find, search, onFound)[currentMatch];
  const matchLine = match && !folds.has(match.row) ? (model.starts[match.row] ?? 0) + match.line : undefined;
  useEffect(() => {
    // Unfold a folded match first; its line comes with the new model.
    if (match) setFolds((current) => (current.has(match.row) ? unfolded(current, match.row) : current));
  }, [match]);
  useEffect(() => {
    if (matchLine !== undefined) virtualizer.scrollToIndex(matchLine, { align: "center" });
  }, [matchLine, virtualizer]);

  const toggle = (line: RowLine) => setFolds((current) => withFold(current, line.row, line.path, line.kind === "open"));
  const copy = async (text: string, message: string) => {
    if (await copyText(text)) toastSuccess(message, 1200);
  };
  const onKeyDown = useRawKeys({
    lineOf,
    totalLines: model.totalLines,
    activeLine,
    setActive,
    toggle,
    scroller,
    reveal: (line) => virtualizer.scrollToIndex(line),
  });

  const onClick = (event: MouseEvent<HTMLElement>) => {
    const target = event.target instanceof Element ? event.target : null;
    const number = Number(target?.closest<HTMLElement>("[data-index]")?.dataset["index"] ?? -1);
    if (number < 0) return;
    setActive(number);
    const line = lineOf(number);
    const action = target?.closest<HTMLElement>("[data-action]")?.dataset["action"];
    if (action === "fold") toggle(line);
    else if (action === "copy-path") void copy(pathText([names?.[line.row] ?? line.row, ...line.path]), "Path copied");
    else if (action === "copy-value") void copy(valueText(line.value), "Value copied");
  };

  const items = virtualizer.getVirtualItems();
  const lines = items.map((item) => ({ item, line: lineOf(item.index) }));
  const width = useMaxLength(lines.map(({ line }) => line.depth * 2 + lineText(line).length));
  return (
    <div className={classes["pane"]}>
      <div className={classes["tools"]} role="group" aria-label="Raw view">
        <Button variant="default" size="xs" onClick={() => setFolds(allFolded(rows))}>
          Fold all
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={!canUnfoldAll}
          {...(canUnfoldAll ? {} : { title: "Too many lines to show at once" })}
          onClick={() => setFolds(noFolds)}
        >
          Unfold all
        </Button>
        <Button
          variant="default"
          size="xs"
          aria-pressed={wraps}
          leftSection={<IconTextWrap size={14} aria-hidden />}
          onClick={() => setWraps(!wraps)}
        >
          Wrap
        </Button>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconCopy size={14} aria-hidden />}
          onClick={() => void textOf(source).then((text) => copy(text, names ? "All entries copied" : "All rows copied"))}
        >
          Copy all
        </Button>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- roving tabindex of the rows, as in the treegrid pattern */}
      <div
        ref={scroller}
        role="treegrid"
        aria-label={label}
        aria-rowcount={model.totalLines}
        aria-readonly
        className={classes["scroller"]}
        {...(wraps ? { "data-wraps": true } : {})}
        onClick={onClick}
        onKeyDown={onKeyDown}
      >
        <div
          role="rowgroup"
          className={classes["lines"]}
          style={{
            height: virtualizer.getTotalSize(),
            minWidth: wraps ? undefined : `calc(${width}ch + var(--gutter) + 24px)`,
            ["--digits" as string]: String(model.totalLines).length,
          }}
        >
          {lines.map(({ item, line }) => (
            <RawLine
              key={item.key}
              number={item.index}
              line={line}
              top={item.start}
              isActive={item.index === activeLine}
              isMatch={item.index === matchLine}
              find={find}
              measure={wraps ? virtualizer.measureElement : undefined}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

function unfolded(folds: Folds, row: number): Folds {
  const next = new Map(folds);
  next.delete(row);
  return next;
}

const textOf = async ({ rows, names }: RawSource): Promise<string> =>
  names ? JSON.stringify(Object.fromEntries(names.map((name, index) => [name, rows[index]])), null, 2) : jsonText(rows);

const valueText = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "null"));

/** Width in characters of the longest line seen so far. It only grows, so that scrolling does not shrink the content. */
function useMaxLength(lengths: readonly number[]): number {
  const [widest, setWidest] = useState(0);
  const longest = Math.min(4_200, Math.max(0, ...lengths));
  if (longest > widest) setWidest(longest);
  return Math.max(longest, widest);
}
