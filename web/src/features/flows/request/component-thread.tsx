import type { FlowComment } from "@fairway/contract/flow-requests";
import { useCommentDraft } from "./comment-drafts.ts";
import { CommentThread } from "./comment-thread.tsx";
import { useRequest } from "./request-context.ts";

interface Props {
  iterationId: number;
  component: { readonly id: string; readonly name: string };
  /** Oldest first. */
  comments: readonly FlowComment[];
}

/** The comments on a component, and the form for one more. Nothing while there are neither. */
export function ComponentThread({ iterationId, component, comments }: Props) {
  const { ids } = useRequest();
  const target = { kind: "component", iterationId, componentId: component.id } as const;
  const [draft] = useCommentDraft(ids.requestId, target);
  if (draft === undefined && comments.length === 0) return null;
  return <CommentThread subject={component.name} target={target} anchor={{ ...target, name: component.name }} comments={comments} />;
}
