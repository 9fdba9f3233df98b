import { pluralize } from "@fairway/contract/counts";
import { useCallback, useEffect, useMemo } from "react";
import { useFindMatches } from "#lib/text/use-find-matches.ts";
import { forEachYielding } from "#lib/pacing/yielding-loop.ts";
import { Highlighted } from "#ui/highlighted.tsx";
import { useVirtualList } from "#ui/kit/use-virtual-list.ts";
import { LoadingRows } from "#ui/states.tsx";
import { decodeText } from "./decode-text.ts";
import { loadBytes } from "../load-file.ts";
import { partNote } from "../part-note.ts";
import { type PreviewFile, textLimitBytes, type ViewProps } from "../preview-type.ts";
import { textLines } from "./text-lines.ts";
import { maxMatches, useFind } from "#lib/text/use-find.ts";
import { useFile } from "../use-file.ts";
import { ViewFrame } from "../view-frame.tsx";
import classes from "../file-preview.module.css";

/** A text file; of a large one the beginning. */
export function TextFileView(props: ViewProps) {
  const text = useFile(props, loadText);
  return text === null ? <LoadingRows label="Loading preview" /> : <TextView text={text} note={partNote(props.file)} />;
}

export const loadText = async (file: PreviewFile, signal: AbortSignal): Promise<string> =>
  decodeText(await loadBytes(file, signal, { end: Math.min(file.size, textLimitBytes) }));

export function TextView({ text, note }: { text: string; note?: string | undefined }) {
  const { lines, isCut } = useMemo(() => textLines(text), [text]);
  const find = useFind();
  const { scroller, virtualizer } = useVirtualList({
    count: lines.length,
    estimateSize: () => 20,
    overscan: 20,
    paddingStart: 8,
    paddingEnd: 16,
  });
  const search = useCallback(
    async (pattern: RegExp, signal: AbortSignal) => {
      const found: number[] = [];
      const isDone = await forEachYielding(
        lines.length,
        (index) => {
          if (found.length < maxMatches && (lines[index] ?? "").search(pattern) >= 0) found.push(index);
        },
        signal,
      );
      return isDone ? found : null;
    },
    [lines],
  );
  const match = useFindMatches(find.pattern, search, find.onFound)[find.current];
  useEffect(() => {
    if (match !== undefined) virtualizer.scrollToIndex(match, { align: "center" });
  }, [match, virtualizer]);
  const cut = isCut ? `Shows the first ${lines.length.toLocaleString("en-US")} lines.` : undefined;
  return (
    <ViewFrame summary={pluralize(lines.length, "line")} note={note ?? cut} find={find}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keys */}
      <div ref={scroller} className={classes["text"]} role="region" aria-label="Text" tabIndex={0}>
        <div style={{ height: virtualizer.getTotalSize(), ["--digits" as string]: String(lines.length).length }}>
          {virtualizer.getVirtualItems().map((item) => (
            <div
              key={item.key}
              className={classes["line"]}
              style={{ transform: `translateY(${item.start}px)` }}
              {...(item.index === match ? { "data-current": true } : {})}
            >
              <span aria-hidden>{item.index + 1}</span>
              <code>
                <Highlighted text={lines[item.index] ?? ""} find={find.pattern} />
              </code>
            </div>
          ))}
        </div>
      </div>
    </ViewFrame>
  );
}
