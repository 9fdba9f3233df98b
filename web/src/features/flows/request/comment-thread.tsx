import type { FlowComment } from "@fairway/contract/flow-requests";
import type { FlowCommentDraft } from "@fairway/contract/flows";
import { Button, Flex } from "@mantine/core";
import { useState } from "react";
import { addComment } from "./comment-calls.ts";
import { CommentBox } from "./comment-box.tsx";
import { type DraftTarget, startDraft, useCommentDraft } from "./comment-drafts.ts";
import { CommentItem } from "./comment-item.tsx";
import { useRequest } from "./request-context.ts";
import classes from "./request.module.css";

interface Props {
  /** Subject of the comments, such as `line 12`. */
  subject: string;
  target: DraftTarget;
  anchor: NonNullable<FlowCommentDraft["anchor"]>;
  /** Oldest first. */
  comments: readonly FlowComment[];
}

/** The comments on one line or component, and the form for one more. */
export function CommentThread({ subject, target, anchor, comments }: Props) {
  const { ids } = useRequest();
  const [draft, setDraft] = useCommentDraft(ids.requestId, target);
  const [isSending, setSending] = useState(false);
  const add = async () => {
    if (draft === undefined) return;
    setSending(true);
    const isAdded = await addComment(ids, { text: draft, anchor });
    setSending(false);
    if (isAdded) setDraft(undefined);
  };
  return (
    <section className={classes["thread"]} aria-label={`Comments on ${subject}`}>
      {comments.map((comment) => (
        <CommentItem key={comment.id} comment={comment} />
      ))}
      {draft === undefined ? (
        <Flex gap="sm" justify="flex-end">
          <Button variant="default" size="compact-sm" onClick={() => startDraft(ids.requestId, target)}>
            Reply
          </Button>
        </Flex>
      ) : (
        <CommentBox
          label={`new comment on ${subject}`}
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
