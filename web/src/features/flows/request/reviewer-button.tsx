import { isFinal } from "@fairway/contract/flow-requests";
import { flows } from "@fairway/contract/flows";
import { Button } from "@mantine/core";
import { useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import { reloadRequest, showChanged } from "./queries.ts";
import { useRequest } from "./request-context.ts";

/** Takes the review, takes it over from someone else, or gives it back. Nothing for the author and for final requests. */
export function ReviewerButton() {
  const { ids, request } = useRequest();
  const { preferred_username: username } = useCurrentUser();
  const [isSending, setSending] = useState(false);
  const { reviewerUsername } = request;
  if (request.isOwn || isFinal(request.status)) return null;
  const isMine = reviewerUsername === username;
  const change = async () => {
    setSending(true);
    try {
      const body = { isReviewer: !isMine, expectedReviewerUsername: reviewerUsername };
      await showChanged(ids, await call(flows.review, { params: ids, body }));
      toastSuccess(isMine ? "Review returned" : "Review taken", 1200);
    } catch (error) {
      toastError("Failed to Change Reviewer", messagesOf(error).join(" "));
      void reloadRequest(ids);
    }
    setSending(false);
  };
  return (
    <Button variant="default" loading={isSending} onClick={() => void change()}>
      {isMine ? "Give Back" : reviewerUsername === null ? "Take Review" : "Take Over"}
    </Button>
  );
}
