import type { FlowComment, FlowIteration } from "@fairway/contract/flow-requests";
import { Box } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { island } from "#ui/island.tsx";
import { LoadingRows } from "#ui/states.tsx";
import type { CommentedComponent } from "../changes/comparison-props.ts";
import { startDraft } from "./comment-drafts.ts";
import { ComponentThread } from "./component-thread.tsx";
import { commentsQuery } from "./queries.ts";
import { useRequest } from "./request-context.ts";
import classes from "./request.module.css";
import { useAgainst } from "./use-against.ts";
import { useShownContent } from "./use-shown-content.ts";
import { useVisit } from "./use-visit.ts";
import { ViewTools } from "./view-tools.tsx";

const FlowChanges = island(async () => ({ default: (await import("../changes/flow-changes.tsx")).FlowChanges }), {
  isLarge: true,
  Loading: () => <LoadingRows label="Loading the changes" rowHeight={64} />,
});
const FlowDrawingView = island(async () => ({ default: (await import("../changes/flow-drawing.tsx")).FlowDrawingView }), {
  isLarge: true,
  Loading: () => <LoadingRows label="Loading the drawing" />,
});

const noComments: readonly FlowComment[] = [];

/** Changes of the iteration in the components of the flow, as sentences or as a drawing, with the comments on components. */
export function ComponentView({ iteration, view }: { iteration: FlowIteration; view: "changes" | "drawing" }) {
  const { ids, shown, show } = useRequest();
  const { content } = useShownContent();
  const against = useAgainst();
  const { data: comments = noComments } = useQuery(commentsQuery(ids));
  const { id: iterationId } = iteration;
  const commented = useMemo(() => commentedIn(comments, content), [comments, content]);
  const threads = useCallback(
    (component: { id: string; name: string }, formerIds: readonly string[]) => (
      <ComponentThread
        key={component.id}
        iterationId={iterationId}
        component={component}
        comments={comments.filter(
          ({ anchor }) => anchor?.kind === "component" && (anchor.componentId === component.id || formerIds.includes(anchor.componentId)),
        )}
      />
    ),
    [comments, iterationId],
  );
  const onComment = useCallback(
    ({ id: componentId }: { id: string }) => startDraft(ids.requestId, { kind: "component", iterationId, componentId }),
    [ids.requestId, iterationId],
  );
  const visit = useVisit();
  // Each visit of the address goes to its component, also the same one again.
  // oxlint-disable-next-line react/exhaustive-deps
  const target = useMemo(() => (shown.component === null ? undefined : { componentId: shown.component }), [shown.component, visit]);
  const Part = view === "changes" ? FlowChanges : FlowDrawingView;
  return (
    <>
      <div className={classes["tools"]}>
        <ViewTools content={content} />
      </div>
      <Box flex={1} mih={0}>
        {against === undefined ? (
          <LoadingRows label="Loading what was accepted" />
        ) : (
          <Part
            group={ids.group}
            flowId={ids.flowId}
            iteration={iteration}
            against={against}
            commented={commented}
            threads={threads}
            onComment={onComment}
            onShowText={() => show({ view: "text" })}
            target={target}
          />
        )}
      </Box>
    </>
  );
}

/** The components that comments are on. */
function commentedIn(comments: readonly FlowComment[], content: string | undefined): CommentedComponent[] {
  const byId = new Map<string, CommentedComponent>();
  for (const { anchor, isDeleted } of comments) {
    if (anchor?.kind !== "component" || isDeleted || byId.has(anchor.componentId)) continue;
    // Until the content is known, nothing is called outdated.
    const isInContent = content?.includes(anchor.componentId) ?? true;
    byId.set(anchor.componentId, { id: anchor.componentId, name: anchor.name, isInContent });
  }
  return [...byId.values()];
}
