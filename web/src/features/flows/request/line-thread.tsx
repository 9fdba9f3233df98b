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
  line: number;
  /** Oldest first. */
  comments: readonly FlowComment[];
}

/** The comments on a line, and the form for one more. */
export function LineThread({ iterationId, line, comments }: Props) {
  const { ids } = useRequest();
  const place = { kind: "line", iterationId, line } as const;
  const [draft, setDraft] = useCommentDraft(ids.requestId, place);
  const [isSending, setSending] = useState(false);
  const add = async () => {
    if (draft === undefined) return;
    setSending(true);
    const isAdded = await addComment(ids, { text: draft, anchor: { kind: "line", iterationId, line } });
    setSending(false);
    if (isAdded) setDraft(undefined);
  };
  return (
    <section className={classes["thread"]} aria-label={`Comments on line ${line}`}>
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
          label={`new comment on line ${line}`}
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
