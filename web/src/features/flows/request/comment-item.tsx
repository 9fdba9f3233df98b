import type { FlowComment } from "@fairway/contract/flow-requests";
import { IconPencil } from "#ui/icons/pencil.ts";
import { IconTrash } from "#ui/icons/trash.ts";
import { type ReactNode, useMemo, useState } from "react";
import { useResultZone } from "#lib/time/result-zone.ts";
import { zonedText } from "#lib/time/time-zone.ts";
import { Markdown } from "#parts/markdown/markdown.tsx";
import { confirm } from "#ui/dialog/confirm.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { FlowTime } from "../flow-time.tsx";
import { CommentBox } from "./comment-box.tsx";
import { deleteComment, editComment } from "./comment-calls.ts";
import { startDraft, useCommentDraft } from "./comment-drafts.ts";
import { mentionPattern } from "./mention-text.ts";
import { useRequest } from "./request-context.ts";
import classes from "./request.module.css";

interface Props {
  comment: FlowComment;
  /** Link to the subject of the comment, above its text. */
  subject?: ReactNode;
}

/** A comment. Its author can edit and delete it. */
export function CommentItem({ comment, subject }: Props) {
  const { ids } = useRequest();
  const { id, commenterUsername, createdDateMs, editedDateMs, isDeleted, isOwn } = comment;
  const [draft, setDraft] = useCommentDraft(ids.requestId, { kind: "edit", commentId: id });
  const zone = useResultZone();
  return (
    <article className={classes["comment"]} aria-label={`Comment by ${commenterUsername}, ${zonedText(createdDateMs, zone)}`}>
      <span className={classes["avatar"]} aria-hidden>
        {commenterUsername.slice(0, 1).toUpperCase()}
      </span>
      <div className={classes["head"]}>
        <strong>{commenterUsername}</strong>
        <span className={classes["when"]}>
          <FlowTime epochMs={createdDateMs} />
          {editedDateMs !== null && !isDeleted && <span title={`Edited ${zonedText(editedDateMs, zone)}`}>, edited</span>}
        </span>
        {isOwn && !isDeleted && draft === undefined && <OwnActions comment={comment} />}
      </div>
      <div className={classes["body"]}>
        {subject}
        {isDeleted ? (
          <p className={classes["commentsMuted"]}>Comment deleted</p>
        ) : draft === undefined ? (
          <CommentText comment={comment} />
        ) : (
          <EditBox comment={comment} draft={draft} onDraft={setDraft} />
        )}
      </div>
    </article>
  );
}

function CommentText({ comment: { text, mentions } }: { comment: FlowComment }) {
  const find = useMemo(() => mentionPattern(mentions), [mentions]);
  return <Markdown text={text} find={find} />;
}

function OwnActions({ comment: { id, text } }: { comment: FlowComment }) {
  const { ids } = useRequest();
  const remove = async () => {
    const isConfirmed = await confirm({
      title: "Delete this comment?",
      text: "This removes its text for everyone. The timeline still shows that a comment was deleted.",
      confirmLabel: "Delete",
      destructive: true,
    });
    if (isConfirmed) await deleteComment(ids, id);
  };
  return (
    <span className={classes["own"]}>
      <IconButton label="Edit comment" onClick={() => startDraft(ids.requestId, { kind: "edit", commentId: id }, text)}>
        <IconPencil size={14} aria-hidden />
      </IconButton>
      <IconButton label="Delete comment" onClick={() => void remove()}>
        <IconTrash size={14} aria-hidden />
      </IconButton>
    </span>
  );
}

interface EditProps {
  comment: FlowComment;
  draft: string;
  onDraft: (text: string | undefined) => void;
}

function EditBox({ comment: { id, text }, draft, onDraft }: EditProps) {
  const { ids } = useRequest();
  const [isSending, setSending] = useState(false);
  const save = async () => {
    if (draft === text) {
      onDraft(undefined);
      return;
    }
    setSending(true);
    const isSaved = await editComment(ids, id, draft);
    setSending(false);
    if (isSaved) onDraft(undefined);
  };
  return (
    <CommentBox
      label="Edit comment"
      text={draft}
      onText={onDraft}
      submitLabel="Save"
      isSending={isSending}
      onSubmit={() => void save()}
      onCancel={() => onDraft(undefined)}
      takesFocus
    />
  );
}
