import type { FlowComment } from "@fairway/contract/flows";
import { Button } from "@mantine/core";
import { useState } from "react";
import { addComment } from "./comment-calls.ts";
import { CommentBox } from "./comment-box.tsx";
import { startDraft, useCommentDraft } from "./comment-drafts.ts";
import { CommentItem } from "./comment-item.tsx";
import { useRequest } from "./request-context.ts";
import classes from "./comments.module.css";

interface Props {
  iterationId: number;
  component: { readonly id: string; readonly name: string };
  /** Oldest first. */
  comments: readonly FlowComment[];
}

/** The comments on a component, and the form for one more. Nothing while there are neither. */
export function ComponentThread({ iterationId, component, comments }: Props) {
  const { ids } = useRequest();
  const place = { kind: "component", iterationId, componentId: component.id } as const;
  const [draft, setDraft] = useCommentDraft(ids.requestId, place);
  const [isSending, setSending] = useState(false);
  if (draft === undefined && comments.length === 0) return null;
  const add = async () => {
    if (draft === undefined) return;
    setSending(true);
    const { id: componentId, name } = component;
    const isAdded = await addComment(ids, { text: draft, anchor: { kind: "component", iterationId, componentId, name } });
    setSending(false);
    if (isAdded) setDraft(undefined);
  };
  return (
    <section className={classes["thread"]} aria-label={`Comments on ${component.name}`}>
      {comments.map((comment) => (
        <CommentItem key={comment.id} comment={comment} />
      ))}
      {draft === undefined ? (
        <div className={classes["boxActions"]}>
          <Button variant="default" size="compact-sm" onClick={() => startDraft(ids.requestId, place)}>
            Reply
          </Button>
        </div>
      ) : (
        <CommentBox
          label={`new comment on ${component.name}`}
          text={draft}
          onText={setDraft}
          submitLabel="Add"
          isSending={isSending}
          onSubmit={() => void add()}
          onCancel={() => setDraft(undefined)}
          takesFocus
        />
      )}
    </section>
  );
}
