import { Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { localTime } from "#lib/time/local-time.ts";
import { feedbackStatusLabel, feedbackTypeLabel } from "./feedback-words.ts";
import { QueryState } from "#ui/kit/query-state.tsx";
import { ownFeedbackQuery } from "./queries.ts";
import classes from "./feedback.module.css";

/** The user's own feedback with its status, newest first. */
export function OwnFeedbackList({ onClose }: { onClose: () => void }) {
  const query = useQuery(ownFeedbackQuery);
  return (
    <>
      <QueryState
        query={query}
        loading={{ label: "Loading your feedback", rows: 3, rowHeight: 52 }}
        failed="Your feedback could not be loaded."
        empty={{ text: "You have not submitted any feedback yet." }}
      >
        {(data) => (
          <ul className={classes["ownList"]} aria-label="Your feedback">
            {data.map(({ id, type, description, datasets, attachments, status, createdDateMs }) => (
              <li key={id}>
                <p className={classes["ownHeader"]}>
                  <strong>{feedbackTypeLabel(type)}</strong>
                  <span data-status={status}>{feedbackStatusLabel(status)}</span>
                </p>
                <p className={classes["ownText"]}>{description}</p>
                <small>{[localTime(createdDateMs), ...datasets, ...attachments.map(({ filename }) => filename)].join(" · ")}</small>
              </li>
            ))}
          </ul>
        )}
      </QueryState>
      <Group justify="flex-end" className={classes["ownFooter"] ?? ""}>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </>
  );
}
