import { Flex } from "@mantine/core";
import { IconX } from "#ui/icons/x.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { IconButton } from "#ui/icon-button.tsx";
import { together, WithoutData } from "#ui/kit/query-state.tsx";
import { EmptyState } from "#ui/states.tsx";
import { CommentBox } from "./comment-box.tsx";
import { addComment } from "./comment-calls.ts";
import { useCommentDraft } from "./comment-drafts.ts";
import { commentsQuery, eventsQuery } from "./queries.ts";
import { useRequest } from "./request-context.ts";
import { Timeline } from "./timeline.tsx";
import classes from "./request.module.css";

/**
 * The timeline of the request and the box for a new comment.
 * @param props.onClose closes the panel, where it covers the content
 */
export function CommentsPanel({ onClose }: { onClose: (() => void) | undefined }) {
  const { request } = useRequest();
  return (
    <Flex component="section" direction="column" mih={0} h="100%" aria-label="Comments">
      <div className={classes["title"]}>
        <h2>Comments</h2>
        <span>{request.comments.toLocaleString("en-US")}</span>
        {onClose && (
          <IconButton label="Close comments" className={classes["close"]} onClick={onClose}>
            <IconX size={16} aria-hidden />
          </IconButton>
        )}
      </div>
      <Loaded />
      <NewComment />
    </Flex>
  );
}

function Loaded() {
  const { ids } = useRequest();
  const comments = useQuery(commentsQuery(ids));
  const events = useQuery(eventsQuery(ids));
  if (comments.data === undefined || events.data === undefined) {
    return (
      <div className={classes["commentsState"]}>
        <WithoutData
          query={together(comments, events)}
          loading={{ label: "Loading comments", rows: 4, rowHeight: 56 }}
          failed="Error loading comments."
        />
      </div>
    );
  }
  if (comments.data.length === 0 && events.data.length === 0) {
    return (
      <div className={classes["commentsState"]}>
        <EmptyState>No comments yet.</EmptyState>
      </div>
    );
  }
  return <Timeline comments={comments.data} events={events.data} />;
}

function NewComment() {
  const { ids } = useRequest();
  const [draft = "", setDraft] = useCommentDraft(ids.requestId, { kind: "new" });
  const [isSending, setSending] = useState(false);
  const add = async () => {
    setSending(true);
    const isAdded = await addComment(ids, { text: draft });
    setSending(false);
    if (isAdded) setDraft(undefined);
  };
  return (
    <div className={classes["new"]}>
      <CommentBox
        label="new comment"
        text={draft}
        onText={(text) => setDraft(text === "" ? undefined : text)}
        submitLabel="Add"
        isSending={isSending}
        onSubmit={() => void add()}
      />
    </div>
  );
}
