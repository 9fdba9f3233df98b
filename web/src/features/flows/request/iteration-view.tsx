import type { FlowComment, FlowIteration } from "@fairway/contract/flow-requests";
import { IconMessagePlus } from "#ui/icons/message-plus.ts";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { TextContent, TextDifference } from "#parts/text-difference/islands.tsx";
import { EmptyState } from "#ui/states.tsx";
import { ChecksView } from "./checks-view.tsx";
import { startDraft, useDraftLines } from "./comment-drafts.ts";
import { ComponentView } from "./component-view.tsx";
import { useFoundLines } from "./found-lines.ts";
import { LineThread } from "./line-thread.tsx";
import { commentsQuery } from "./queries.ts";
import { useRequest } from "./request-context.ts";
import classes from "./request.module.css";
import { useBase } from "./use-base.ts";
import { useShownContent } from "./use-shown-content.ts";
import { useVisit } from "./use-visit.ts";
import { type RequestView, viewOf } from "./view-address.ts";
import { ViewTools } from "./view-tools.tsx";

/** Loads what shows a text while the text itself is still being read. */
export function preloadContent({ mode, view }: Pick<RequestView, "mode" | "view">): void {
  if (viewOf({ mode, view }) !== "text") return;
  void (mode === "single" ? TextContent : TextDifference).preload();
}

/** The shown iteration, or its differences from another one or from the accepted state. */
export function IterationView() {
  const { shown } = useRequest();
  const { iteration } = useShownContent();
  const view = viewOf(shown);
  return (
    <section className={classes["viewer"]} aria-label="Content">
      {iteration &&
        (view === "checks" ? (
          <ChecksView iteration={iteration} />
        ) : view !== "text" ? (
          <ComponentView iteration={iteration} view={view} />
        ) : shown.mode === "single" ? (
          <SingleText iteration={iteration} />
        ) : (
          <DifferenceText iteration={iteration} />
        ))}
    </section>
  );
}

function SingleText({ iteration }: { iteration: FlowIteration }) {
  const { content, state } = useShownContent();
  const lines = useCommentedLines(iteration);
  if (content === undefined) return <Framed>{state}</Framed>;
  return (
    <TextContent
      label={`Iteration ${iteration.number}`}
      text={content}
      {...syntaxOf(iteration)}
      tools={<ViewTools content={content} />}
      {...lines}
    />
  );
}

function DifferenceText({ iteration }: { iteration: FlowIteration }) {
  const { content, state } = useShownContent();
  const lines = useCommentedLines(iteration);
  const base = useBase();
  if (base.isMissing) {
    return (
      <Framed>
        <EmptyState>{`This flow has no accepted content yet. There is nothing to compare iteration ${iteration.number} with.`}</EmptyState>
      </Framed>
    );
  }
  const failed = content === undefined ? state : base.state;
  if (content === undefined || base.content === undefined) return <Framed>{failed}</Framed>;
  return (
    <TextDifference
      label={`Differences of ${base.name} and iteration ${iteration.number}`}
      before={base.content}
      after={content}
      names={[base.name, `Iteration ${iteration.number}`]}
      {...syntaxOf(iteration)}
      canIgnorePositions
      tools={<ViewTools content={content} />}
      {...lines}
    />
  );
}

/** The tools above what stands in the place of a text. */
function Framed({ children }: { children: ReactNode }) {
  return (
    <>
      <div className={classes["tools"]}>
        <ViewTools content={undefined} />
      </div>
      <div className={classes["state"]}>{children}</div>
    </>
  );
}

const syntaxOf = ({ format }: FlowIteration) => (format === "unknown" ? {} : { syntax: format });

const noComments: readonly FlowComment[] = [];

/** Additions of the viewers at lines: comments, the forms for new ones, and the line of the address. */
function useCommentedLines({ id: iterationId }: FlowIteration) {
  const { ids, shown } = useRequest();
  const { data: comments = noComments } = useQuery(commentsQuery(ids));
  const found = useFoundLines();
  const draftLines = useDraftLines(ids.requestId, iterationId);
  const below = useMemo(() => {
    const byLine = new Map<number, FlowComment[]>();
    for (const line of draftLines === "" ? [] : draftLines.split(" ")) byLine.set(Number(line), []);
    for (const comment of comments) {
      if (comment.anchor?.kind !== "line") continue;
      const line = comment.anchor.iterationId === iterationId ? comment.anchor.line : found.get(comment.id);
      if (typeof line === "number") byLine.set(line, [...(byLine.get(line) ?? []), comment]);
    }
    return new Map(
      Array.from(byLine, ([line, onLine]) => [line, <LineThread key={line} iterationId={iterationId} line={line} comments={onLine} />]),
    );
  }, [comments, found, iterationId, draftLines]);
  const visit = useVisit();
  // Each visit of the address goes to its line, also the same one again.
  // oxlint-disable-next-line react/exhaustive-deps
  const target = useMemo(() => (shown.line === null ? undefined : { line: shown.line }), [shown.line, iterationId, visit]);
  const gutter = useMemo(
    () => (line: number) => (
      <button
        type="button"
        className={classes["commentOnLine"]}
        aria-label={`Comment on line ${line}`}
        title={`Comment on line ${line}`}
        onClick={() => startDraft(ids.requestId, { kind: "line", iterationId, line })}
      >
        <IconMessagePlus size={16} aria-hidden />
      </button>
    ),
    [ids.requestId, iterationId],
  );
  return { below, target, gutter };
}
