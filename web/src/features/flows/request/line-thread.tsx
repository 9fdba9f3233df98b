import type { FlowComment } from "@fairway/contract/flow-requests";
import { CommentThread } from "./comment-thread.tsx";

interface Props {
  iterationId: number;
  line: number;
  /** Oldest first. */
  comments: readonly FlowComment[];
}

/** The comments on a line, and the form for one more. */
export function LineThread({ iterationId, line, comments }: Props) {
  const target = { kind: "line", iterationId, line } as const;
  return <CommentThread subject={`line ${line}`} target={target} anchor={target} comments={comments} />;
}
