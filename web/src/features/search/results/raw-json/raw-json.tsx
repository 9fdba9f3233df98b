import { Button } from "@mantine/core";
import { IconCopy, IconTextWrap } from "@tabler/icons-react";
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type MouseEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { copyText } from "#lib/copy.ts";
import { jsonText } from "#lib/json-text.ts";
import { useFindMatches } from "#lib/use-find-matches.ts";
import { toastSuccess } from "#ui/toast.ts";
import { type JsonLine, lineText, pathText } from "./json-lines.ts";
import { RawLine } from "./raw-line.tsx";
import { allFolded, findLines, type Folds, lineAt, type PlacedLine, rawModel, withFold } from "./raw-model.ts";
import { useRawKeys } from "./use-raw-keys.ts";
import classes from "./raw-json.module.css";

const lineHeightPx = 20;
/** Browsers lay nothing out beyond some 17 million pixels; rows of larger answers start folded. */
const mostLines = 700_000;
const noFolds: Folds = new Map();

export interface RawJsonProps {
  label: string;
  rows: readonly unknown[];
  find: RegExp | null;
  /** Which of the matches is the current one, from 0. */
  currentMatch: number;
  onFound: (count: number) => void;
}

/** Rows as JSON text: virtual lines that fold, are found in and are copied. */
export function RawJson({ label, rows, find, currentMatch, onFound }: RawJsonProps) {
  const canUnfoldAll = useMemo(() => rawModel(rows, noFolds).lineTotal <= mostLines, [rows]);
  const [folds, setFolds] = useState<Folds>(() => (canUnfoldAll ? noFolds : allFolded(rows)));
  const [wraps, setWraps] = useState(false);
  const [active, setActive] = useState(0);
  const model = useMemo(() => rawModel(rows, folds), [rows, folds]);
  const cache = useMemo(() => ({ model, lines: new Map<number, JsonLine[]>() }).lines, [model]);
  const at = (line: number): PlacedLine => lineAt(model, line, cache);
  const scroller = useRef<HTMLDivElement>(null);
  const activeLine = Math.min(active, model.lineTotal - 1);

  const virtualizer = useVirtualizer({
    count: model.lineTotal,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeightPx,
    overscan: 20,
    paddingEnd: 24,
    rangeExtractor: useCallback(
      (range: Range) => {
        const indexes = defaultRangeExtractor(range);
        return indexes.includes(activeLine) ? indexes : [...indexes, activeLine].toSorted((one, other) => one - other);
      },
      [activeLine],
    ),
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, wraps, folds]);

  const search = useCallback((wanted: RegExp, signal: AbortSignal) => findLines(rows, wanted, signal), [rows]);
  const match = useFindMatches(find, search, onFound)[currentMatch];
  const matchLine = match && !folds.has(match.row) ? (model.starts[match.row] ?? 0) + match.at : undefined;
  useEffect(() => {
    // A match that is folded away is unfolded first; its line then comes with the new model.
    if (match) setFolds((now) => (now.has(match.row) ? unfolded(now, match.row) : now));
  }, [match]);
  useEffect(() => {
    if (matchLine !== undefined) virtualizer.scrollToIndex(matchLine, { align: "center" });
  }, [matchLine, virtualizer]);

  const toggle = (line: PlacedLine) => setFolds((now) => withFold(now, line.row, line.path, line.kind === "open"));
  const copy = async (text: string, done: string) => {
    if (await copyText(text)) toastSuccess(done, 1200);
  };
  const keys = useRawKeys({
    at,
    lineTotal: model.lineTotal,
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
    const line = at(number);
    const action = target?.closest<HTMLElement>("[data-action]")?.dataset["action"];
    if (action === "fold") toggle(line);
    else if (action === "copy-path") void copy(pathText(line.row, line.path), "Path copied");
    else if (action === "copy-value") void copy(valueText(line.value), "Value copied");
  };

  const items = virtualizer.getVirtualItems();
  const lines = items.map((item) => ({ item, line: at(item.index) }));
  const width = useWidest(lines.map(({ line }) => line.depth * 2 + lineText(line).length));
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
          onClick={() => void jsonText(rows).then((text) => copy(text, "All rows copied"))}
        >
          Copy all
        </Button>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its rows take the focus in turn, as the treegrid pattern says */}
      <div
        ref={scroller}
        role="treegrid"
        aria-label={label}
        aria-rowcount={model.lineTotal}
        aria-readonly
        className={classes["scroller"]}
        {...(wraps ? { "data-wraps": true } : {})}
        onClick={onClick}
        onKeyDown={keys}
      >
        <div
          role="rowgroup"
          className={classes["lines"]}
          style={{
            height: virtualizer.getTotalSize(),
            minWidth: wraps ? undefined : `calc(${width}ch + var(--gutter) + 24px)`,
            ["--digits" as string]: String(model.lineTotal).length,
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

const valueText = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "null"));

/** Grows with the longest line seen, so that scrolling down never takes room away from the side. In characters. */
function useWidest(lengths: readonly number[]): number {
  const [widest, setWidest] = useState(0);
  const longest = Math.min(4_200, Math.max(0, ...lengths));
  if (longest > widest) setWidest(longest);
  return Math.max(longest, widest);
}
