import { pluralize } from "@fairway/contract/counts";
import { Button } from "@mantine/core";
import { IconX } from "#ui/icons/x.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { commentsQuery, eventsQuery } from "./queries.ts";
import { useRequest } from "./request-context.ts";
import { eventText } from "./timeline-items.ts";
import classes from "./request.module.css";

interface Seen {
  eventId: number;
  commentId: number;
}

const lastId = (items: readonly { id: number }[]): number => items.reduce((last, { id }) => Math.max(last, id), 0);

/** Changes by others to the request since the page was opened. */
export function RequestNews() {
  const { ids, iterations, show } = useRequest();
  const { preferred_username: username } = useCurrentUser();
  const events = useQuery(eventsQuery(ids)).data;
  const comments = useQuery(commentsQuery(ids)).data;
  const [seen, setSeen] = useState<Seen | null>(null);
  const isLoaded = events !== undefined && comments !== undefined;
  if (isLoaded && seen === null) setSeen({ eventId: lastId(events), commentId: lastId(comments) });
  const newEvents = seen ? (events ?? []).filter((event) => event.id > seen.eventId && event.username !== username) : [];
  const newComments = seen ? (comments ?? []).filter((comment) => comment.id > seen.commentId && !comment.isOwn && !comment.isDeleted) : [];
  const numberOf = (iterationId: number | null) => iterations.find(({ id }) => id === iterationId)?.number;
  const texts = [
    ...newEvents.map((event) => eventText(event, numberOf(event.iterationId))),
    ...(newComments.length > 0 ? [pluralize(newComments.length, "new comment")] : []),
  ];
  const added = numberOf(newEvents.findLast(({ kind }) => kind === "iteration")?.iterationId ?? null);
  const dismiss = () => isLoaded && setSeen({ eventId: lastId(events), commentId: lastId(comments) });
  return (
    // The status is on the page before its text, so that the text is read out.
    <div role="status" aria-label="News" className={classes["news"]}>
      {texts.length > 0 && (
        <>
          <span className={classes["newsText"]}>{`${texts.slice(-maxTexts).join(". ")}.`}</span>
          {added !== undefined && (
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => {
                dismiss();
                show({ iteration: added });
              }}
            >
              {`Show iteration ${added}`}
            </Button>
          )}
          <IconButton label="Dismiss" onClick={dismiss}>
            <IconX size={16} aria-hidden />
          </IconButton>
        </>
      )}
    </div>
  );
}

const maxTexts = 3;
