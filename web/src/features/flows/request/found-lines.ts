import type { FlowComment, FlowCommentAnchor, FlowIteration } from "@fairway/contract/flow-requests";
import { useQueries } from "@tanstack/react-query";
import { createContext, startTransition, use, useEffect, useMemo, useState } from "react";
import { whenIdle } from "#lib/pacing/when-idle.ts";
import { forEachYielding } from "#lib/pacing/yielding-loop.ts";
import { findLine, type LinedContent, linedContent } from "./find-line.ts";
import { contentQuery, type RequestIds } from "./queries.ts";

/**
 * The lines of the shown iteration that comments on lines of other iterations are about, by the comments' ids: null if they are
 * outdated there. Without an entry, that is not known yet.
 */
export type FoundLines = ReadonlyMap<number, number | null>;

const noLines: FoundLines = new Map();
export const FoundLinesContext = createContext<FoundLines>(noLines);
export const useFoundLines = (): FoundLines => use(FoundLinesContext);

/** Contents of other iterations that are read to find lines, in bytes together, newest first. */
const maxReadBytes = 15_000_000;

type LineAnchor = FlowCommentAnchor & { kind: "line" };
const lineAnchorOf = ({ anchor }: FlowComment): LineAnchor | null => (anchor?.kind === "line" ? anchor : null);

interface Given {
  ids: RequestIds;
  iterations: readonly FlowIteration[];
  comments: readonly FlowComment[];
  iterationId: number;
  /** Of the shown iteration; undefined while it loads. */
  content: string | undefined;
}

/** Finds the lines of all comments in the shown iteration, after it is painted: hundreds of comments take half a second. */
export function useFindLines({ ids, iterations, comments, iterationId, content }: Given): FoundLines {
  const others = useMemo(
    () => comments.filter((comment) => (lineAnchorOf(comment)?.iterationId ?? iterationId) !== iterationId),
    [comments, iterationId],
  );
  // They are not read before the shown one.
  const isShown = content !== undefined;
  const readIds = useMemo(() => (isShown ? readIterations(others, iterations) : []), [isShown, others, iterations]);
  const originals = useQueries({
    queries: readIds.map((id) => contentQuery(ids, id)),
    combine: (results) => ({
      // If one cannot be read, the lines that are stored with the comments have to do.
      isPending: results.some((result) => result.isPending),
      contents: results.map(({ data }) => data),
    }),
  });
  const { isPending } = originals;
  const [recent] = useState(() => new Map<string, LinedContent>());
  const key = originals.contents.map((one) => one?.length ?? -1).join();
  const [found, setFound] = useState({ iterationId: 0, lines: noLines });
  useEffect(() => {
    if (content === undefined || isPending || others.length === 0) return undefined;
    const controller = new AbortController();
    const originalOf = new Map(readIds.map((id, index) => [id, originals.contents[index]]));
    const cancel = whenIdle(() => {
      void findLines(others, content, originalOf, recent, controller.signal).then((lines) => {
        if (lines) startTransition(() => setFound({ iterationId, lines }));
      });
    });
    return () => {
      cancel();
      controller.abort();
    };
    // The contents are identified by `key`: the array is a new one for every change of any query.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [content, isPending, others, iterationId, readIds, key, recent]);
  return found.iterationId === iterationId ? found.lines : noLines;
}

/** In slices that yield to the page. Undefined if aborted. */
async function findLines(
  comments: readonly FlowComment[],
  content: string,
  originalOf: ReadonlyMap<number, string | undefined>,
  recent: Map<string, LinedContent>,
  signal: AbortSignal,
): Promise<FoundLines | undefined> {
  const found = new Map<number, number | null>();
  const step = (index: number) => {
    const comment = comments[index];
    const anchor = comment && lineAnchorOf(comment);
    if (!anchor) return;
    const original = originalOf.get(anchor.iterationId);
    found.set(comment.id, findLine(anchor, linedOf(recent, content), original === undefined ? undefined : linedOf(recent, original)));
  };
  return (await forEachYielding(comments.length, step, signal, 1)) ? found : undefined;
}

/** The iterations with comments on lines, newest first, up to `maxReadBytes`. */
function readIterations(comments: readonly FlowComment[], iterations: readonly FlowIteration[]): number[] {
  const commented = new Set(comments.map((comment) => lineAnchorOf(comment)?.iterationId));
  let bytes = 0;
  return iterations
    .filter(({ id }) => commented.has(id))
    .toReversed()
    .filter((iteration) => {
      bytes += iteration.bytes;
      return bytes <= maxReadBytes;
    })
    .map(({ id }) => id);
}

const maxRecent = 6;

/** Contents with their lines, the last ones used: splitting a large one takes time. */
function linedOf(recent: Map<string, LinedContent>, content: string): LinedContent {
  const lined = recent.get(content) ?? linedContent(content);
  recent.delete(content);
  recent.set(content, lined);
  const [oldest] = recent.keys();
  if (recent.size > maxRecent && oldest !== undefined) recent.delete(oldest);
  return lined;
}
