import type { FlowComment } from "@fairway/contract/flow-requests";
import { type FlowCommentDraft, flows } from "@fairway/contract/flows";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import { commentsQuery, reloadRequest, type RequestIds } from "./queries.ts";

/** Shows a saved comment at once. */
function showComment(ids: RequestIds, saved: FlowComment): void {
  queryClient.setQueryData(commentsQuery(ids).queryKey, (comments) =>
    comments?.some(({ id }) => id === saved.id)
      ? comments.map((comment) => (comment.id === saved.id ? saved : comment))
      : comments && [...comments, saved],
  );
  void reloadRequest(ids);
}

interface Texts {
  done: string;
  doneMs: 2000 | 1200;
  failed: string;
}

/** Whether the call succeeded; a failure is shown. */
async function change(ids: RequestIds, { done, doneMs, failed }: Texts, run: () => Promise<FlowComment>): Promise<boolean> {
  try {
    showComment(ids, await run());
    toastSuccess(done, doneMs);
    return true;
  } catch (error) {
    toastError(failed, messagesOf(error).join(" "));
    return false;
  }
}

export const addComment = (ids: RequestIds, body: FlowCommentDraft): Promise<boolean> =>
  change(ids, { done: "Comment added", doneMs: 2000, failed: "Failed to Add Comment" }, () => call(flows.comment, { params: ids, body }));

export const editComment = (ids: RequestIds, commentId: number, text: string): Promise<boolean> =>
  change(ids, { done: "Comment saved", doneMs: 1200, failed: "Failed to Edit Comment" }, () =>
    call(flows.editComment, { params: { ...ids, commentId }, body: { text } }),
  );

export const deleteComment = (ids: RequestIds, commentId: number): Promise<boolean> =>
  change(ids, { done: "Comment deleted", doneMs: 1200, failed: "Failed to Delete Comment" }, () =>
    call(flows.deleteComment, { params: { ...ids, commentId } }),
  );
