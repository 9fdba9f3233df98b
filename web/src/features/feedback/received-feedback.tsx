import { pluralize } from "@fairway/contract/counts";
import {
  type FeedbackStatus,
  type ReceivedFeedback,
  feedbackAdministration,
  feedbackStatuses,
  maxReceivedPerStatus,
} from "@fairway/contract/feedback";
import { Button, NativeSelect } from "@mantine/core";
import { IconDownload } from "#ui/icons/download.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call, urlOf } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { localTime } from "#lib/time/local-time.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { feedbackStatusLabel, feedbackTypeLabel } from "./feedback-words.ts";
import { QueryState } from "#ui/kit/query-state.tsx";
import { EmptyState } from "#ui/states.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import { receivedQuery } from "./received-query.ts";
import classes from "./feedback.module.css";

const pageItems = 100;

/** All feedback, newest first, with attachments to download and a status to set. */
export function ReceivedFeedbackList() {
  return (
    <QueryState
      query={useQuery(receivedQuery)}
      loading={{ label: "Loading feedback", rowHeight: 72 }}
      failed="The feedback could not be loaded."
    >
      {(data) => <Received data={data} />}
    </QueryState>
  );
}

function Received({ data }: { data: readonly ReceivedFeedback[] }) {
  const [status, setStatus] = useState<FeedbackStatus | "">("");
  const [shownCount, setShownCount] = useState(pageItems);
  const matching = data.filter((submission) => status === "" || submission.status === status);
  const truncated = feedbackStatuses.filter((value) => data.filter((received) => received.status === value).length >= maxReceivedPerStatus);
  return (
    <div className={classes["feedback"]}>
      <div className={classes["filter"]}>
        <NativeSelect
          label="Status"
          value={status}
          data={[{ value: "", label: "All" }, ...feedbackStatuses.map((value) => ({ value, label: feedbackStatusLabel(value) }))]}
          onChange={(event) => setStatus(event.currentTarget.value as FeedbackStatus | "")}
        />
        <span role="status">{pluralize(matching.length, "submission")}</span>
      </div>
      {matching.length === 0 ? (
        <EmptyState>
          {data.length === 0 ? "No feedback yet. It appears here when someone uses Submit Feedback." : "No feedback has this status."}
        </EmptyState>
      ) : (
        <ul className={classes["list"]} aria-label="Feedback">
          {matching.slice(0, shownCount).map((submission) => (
            <Submission key={submission.id} submission={submission} />
          ))}
        </ul>
      )}
      {truncated.length > 0 && (
        <p className={classes["muted"]}>
          {`Only the newest ${maxReceivedPerStatus.toLocaleString("en-US")} are shown of what is ${truncated.join(" or ")}.`}
        </p>
      )}
      {matching.length > shownCount && (
        <Button variant="default" onClick={() => setShownCount(shownCount + pageItems)}>
          Load More
        </Button>
      )}
    </div>
  );
}

function Submission({ submission }: { submission: ReceivedFeedback }) {
  const { id, username, name, email, type, description, datasets, attachments, status, createdDateMs } = submission;
  const { mutate, isPending } = useMutation({
    mutationFn: (next: FeedbackStatus) => call(feedbackAdministration.setStatus, { body: { id, status: next } }),
    onSuccess: (saved) => {
      queryClient.setQueryData(receivedQuery.queryKey, (previous = []) => previous.map((entry) => (entry.id === saved.id ? saved : entry)));
      toastSuccess("Status Saved", 1200);
    },
    onError: (error) => toastError("Failed to Save", messagesOf(error).join(" ")),
  });
  return (
    <li className={classes["submission"]}>
      <div>
        <p className={classes["head"]}>
          <strong>{feedbackTypeLabel(type)}</strong> {name === "" ? username : `${name} (${username})`}
        </p>
        <p className={classes["muted"]}>{[localTime(createdDateMs), email].filter((part) => part !== "").join(" · ")}</p>
        <p className={classes["text"]}>{description}</p>
        {datasets.length > 0 && <p className={classes["muted"]}>{`Datasets: ${datasets.join(", ")}`}</p>}
        {attachments.length > 0 && (
          <ul className={classes["receivedFeedbackAttachments"]} aria-label="Attachments">
            {attachments.map((attachment) => (
              <li key={attachment.id}>
                <a href={urlOf(feedbackAdministration.attachment, { id: attachment.id })} download>
                  <IconDownload size={16} aria-hidden />
                  {attachment.filename}
                </a>
                <span className={classes["muted"]}>{`${attachment.size.toLocaleString("en-US")} bytes`}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
      <NativeSelect
        aria-label={`Status of ${feedbackTypeLabel(type)} by ${username}, ${localTime(createdDateMs)}`}
        value={status}
        disabled={isPending}
        data={[...new Set([...feedbackStatuses, status])].map((value) => ({ value, label: feedbackStatusLabel(value) }))}
        onChange={(event) => mutate(event.currentTarget.value as FeedbackStatus)}
      />
    </li>
  );
}
