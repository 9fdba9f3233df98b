import { pluralize } from "@fairway/contract/counts";
import { createElement, Fragment, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useFindMatches } from "#lib/text/use-find-matches.ts";
import { forEachYielding } from "#lib/pacing/yielding-loop.ts";
import { Markdown } from "#parts/markdown/markdown.tsx";
import { useVirtualList } from "#ui/kit/use-virtual-list.ts";
import { LoadingRows } from "#ui/states.tsx";
import { markMatches } from "../text/find-marks.ts";
import { highlightCode } from "../text/highlight-code.ts";
import { loadNotebook, type Notebook, type NotebookBlock } from "./notebook.ts";
import { partNote } from "../part-note.ts";
import { otherLimitBytes, type ViewProps } from "../preview-type.ts";
import { SafeHtml, safeText } from "../text/safe-html.tsx";
import { useFile } from "../use-file.ts";
import { maxMatches, useFind } from "#lib/text/use-find.ts";
import { ViewFrame } from "../view-frame.tsx";
import classes from "../file-preview.module.css";

export function NotebookView(props: ViewProps) {
  const notebook = useFile(props, loadNotebook);
  if (notebook === null) return <LoadingRows label="Loading preview" />;
  return <Blocks notebook={notebook} partNote={partNote(props.file, otherLimitBytes)} />;
}

/** The cells and outputs of a notebook. Only those in view are drawn. */
function Blocks({ notebook, partNote: part }: { notebook: Notebook; partNote: string | undefined }) {
  const { blocks, cells, hiddenBlocks, language, kernel } = notebook;
  const find = useFind();
  const { scroller, virtualizer } = useVirtualList({
    count: blocks.length,
    estimateSize: (index) => estimatedHeight(blocks[index]),
    overscan: 6,
    gap: 12,
    paddingStart: 24,
    paddingEnd: 24,
  });
  const search = useCallback(
    async (pattern: RegExp, signal: AbortSignal) => {
      const found: { block: number; nth: number }[] = [];
      const isDone = await forEachYielding(
        blocks.length,
        (block) => {
          const count = found.length < maxMatches ? [...searchedText(blocks[block]).matchAll(pattern)].length : 0;
          for (let nth = 0; nth < count && found.length < maxMatches; nth += 1) found.push({ block, nth });
        },
        signal,
      );
      return isDone ? found : null;
    },
    [blocks],
  );
  const match = useFindMatches(find.pattern, search, find.onFound)[find.current];
  useEffect(() => {
    if (match) virtualizer.scrollToIndex(match.block, { align: "center" });
  }, [match, virtualizer]);
  // The drawn blocks change as the view scrolls.
  useEffect(() =>
    scroller.current
      ? markMatches(scroller.current, { pattern: find.pattern, current: match, isAtRest: !virtualizer.isScrolling })
      : undefined,
  );

  const hidden = hiddenBlocks > 0 ? `${hiddenBlocks.toLocaleString("en-US")} more outputs and cells aren't shown.` : undefined;
  return (
    <ViewFrame summary={[pluralize(cells, "cell"), kernel].filter(Boolean).join(", ")} note={part ?? hidden} find={find}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keys */}
      <div ref={scroller} className={classes["notebook"]} role="region" aria-label="Notebook" tabIndex={0}>
        <div style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const block = blocks[index];
            return (
              <div
                key={index}
                ref={virtualizer.measureElement}
                data-index={index}
                className={classes["cell"]}
                style={{ transform: `translateY(${start}px)` }}
              >
                <span className={classes["count"]}>{block?.kind === "code" && block.count !== null ? `[${block.count}]` : ""}</span>
                <div data-searched>{block && <Block block={block} language={language} />}</div>
              </div>
            );
          })}
        </div>
      </div>
    </ViewFrame>
  );
}

function Block({ block, language }: { block: NotebookBlock; language: string }) {
  switch (block.kind) {
    case "markdown":
      return <Markdown text={block.text} />;
    case "code":
      return <Code text={block.text} language={language} />;
    case "raw":
      return <ScrolledText>{block.text}</ScrolledText>;
    case "output":
      return (
        <ScrolledText className={classes["output"]} isError={block.isError}>
          {block.text}
        </ScrolledText>
      );
    case "html":
      return <SafeHtml html={block.html} />;
    case "image":
      return <img src={block.url} alt="Output" />;
    case "leftOut":
      return (
        <p className={classes["leftOut"]} role="note">
          {block.text}
        </p>
      );
    default:
      return null;
  }
}

function Code({ text, language }: { text: string; language: string }) {
  const parts = useMemo(
    () =>
      highlightCode(text, language).map(({ text: part, token }) =>
        token === null ? part : createElement("span", { "data-token": token }, part),
      ),
    [text, language],
  );
  return <ScrolledText className={classes["code"]}>{createElement(Fragment, null, ...parts)}</ScrolledText>;
}

interface ScrolledTextProps {
  className?: string | undefined;
  isError?: boolean;
  children: ReactNode;
}

/** Preformatted text. A tab stop only where it is too wide for its place, to be scrolled by keys. */
function ScrolledText({ className, isError = false, children }: ScrolledTextProps) {
  const element = useRef<HTMLPreElement>(null);
  const [isScrolled, setScrolled] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const observer = new ResizeObserver(() => setScrolled(current.scrollWidth > current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keys
    <pre ref={element} className={className} {...(isError ? { "data-error": true } : {})} {...(isScrolled ? { tabIndex: 0 } : {})}>
      {children}
    </pre>
  );
}

/** Text that find searches. Of Markdown it is the source, which is close to what is shown. */
function searchedText(block: NotebookBlock | undefined): string {
  if (!block || block.kind === "image") return "";
  return block.kind === "html" ? safeText(block.html) : block.text;
}

function estimatedHeight(block: NotebookBlock | undefined): number {
  if (!block || block.kind === "image") return 320;
  if (block.kind === "html") return 200;
  const lines = block.text.split("\n").length;
  return block.kind === "markdown" ? lines * 24 : lines * 18 + 18;
}
