import type { FlowEvent, FlowRequest } from "@fairway/contract/flow-requests";
import { Button, Flex, Group, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { GatewayError, messagesOf } from "#lib/gateway/gateway-error.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import { useLastShown } from "#ui/use-last-shown.ts";
import { FlowTime } from "../flow-time.tsx";
import { FlowChecksList } from "../changes/flow-checks.tsx";
import { StatusMark } from "../status-mark.tsx";
import { MentionField } from "./comment-box.tsx";
import { keepAsComment, useCommentDraft } from "./comment-drafts.ts";
import { eventsQuery, iterationsQuery, requestQuery, reloadRequest, showChanged } from "./queries.ts";
import { useRequest } from "./request-context.ts";
import { isPossible, type StatusChange, statusChanges } from "./status-changes.ts";
import { eventText } from "./timeline-items.ts";
import classes from "./request.module.css";

interface Props {
  /** Null while the dialog is closed. */
  change: StatusChange | null;
  onClose: () => void;
}

/** Asks before the status changes, with an optional comment. */
export default function StatusDialog({ change, onClose }: Props) {
  const last = useLastShown(change);
  return (
    <Dialog opened={change !== null} onClose={onClose} title={last ? statusChanges[last].title : ""} size={560}>
      {change && <StatusForm key={change} change={change} onClose={onClose} />}
    </Dialog>
  );
}

/** Changes since the dialog was opened, and the request's state now. */
interface Meanwhile {
  request: FlowRequest;
  events: readonly FlowEvent[];
}

function StatusForm({ change, onClose }: { change: StatusChange; onClose: () => void }) {
  const { ids, request } = useRequest();
  const { text, label, commentLabel, failed, done, isDestructive = false, send } = statusChanges[change];
  const target = { kind: "status", change } as const;
  const [comment = "", setComment] = useCommentDraft(ids.requestId, target);
  const [kept, setKept] = useState("");
  // The decision is about the request that the dialog shows, also if the page learns of a newer state.
  const [seen, setSeen] = useState(request);
  const [meanwhile, setMeanwhile] = useState<Meanwhile | null>(null);
  const [isSending, setSending] = useState(false);
  const [known] = useState(() => new Set(queryClient.getQueryData(eventsQuery(ids).queryKey)?.map(({ id }) => id)));
  const showConflict = async () => {
    await reloadRequest(ids);
    const [now, events] = await Promise.all([
      queryClient.fetchQuery({ ...requestQuery(ids), staleTime: 1_000 }),
      queryClient.fetchQuery({ ...eventsQuery(ids), staleTime: 1_000 }),
    ]);
    setMeanwhile({ request: now, events: events.filter(({ id }) => !known.has(id)) });
    setSeen(now);
    if (isPossible(change, now)) return;
    setKept(comment.trim());
    keepAsComment(ids.requestId, target);
  };
  const submit = async () => {
    setSending(true);
    try {
      const trimmed = comment.trim();
      const body = {
        comment: trimmed === "" ? undefined : trimmed,
        expectedStatus: seen.status,
        expectedIterationId: seen.lastIterationId,
      };
      await showChanged(ids, await send(ids, body));
      setComment(undefined);
      toastSuccess(done);
      onClose();
    } catch (error) {
      toastError(failed, messagesOf(error).join(" "));
      // If the present state cannot be read either, the toast has to do.
      if (error instanceof GatewayError && error.status === 409) await showConflict().catch(() => undefined);
      else void reloadRequest(ids);
    }
    setSending(false);
  };
  const canSubmit = isPossible(change, seen);
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The focused element is gone.
    if (!canSubmit) cancel.current?.focus();
  }, [canSubmit]);
  return (
    <Flex
      component="form"
      gap="lg"
      direction="column"
      onSubmit={(event) => {
        event.preventDefault();
        if (canSubmit && !isSending) void submit();
      }}
    >
      {meanwhile && <MeanwhileNote {...meanwhile} canSubmit={canSubmit} />}
      {canSubmit && <Text c="dimmed">{text(seen)}</Text>}
      {canSubmit && (change === "submit" || change === "accept") && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keys
        <div className={classes["checks"]} role="region" aria-label="Checks of the last iteration" tabIndex={0}>
          <FlowChecksList group={ids.group} flowId={ids.flowId} iterationId={seen.lastIterationId} />
        </div>
      )}
      {canSubmit && (
        <MentionField
          label={commentLabel}
          hasLabel
          text={comment}
          onText={(next) => setComment(next === "" ? undefined : next)}
          readOnly={isSending}
          takesFocus
          onSubmit={() => !isSending && void submit()}
        />
      )}
      {!canSubmit && kept !== "" && (
        <div className={classes["kept"]}>
          <p>Your text wasn't sent. It's now in the box for a new comment.</p>
          <blockquote>{kept}</blockquote>
        </div>
      )}
      <Group justify="flex-end" gap="sm">
        <Button ref={cancel} variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={!canSubmit} loading={isSending} {...(isDestructive ? { color: "red" } : {})}>
          {label}
        </Button>
      </Group>
    </Flex>
  );
}

function MeanwhileNote({ request, events, canSubmit }: Meanwhile & { canSubmit: boolean }) {
  const { ids } = useRequest();
  const iterations = queryClient.getQueryData(iterationsQuery(ids).queryKey) ?? [];
  return (
    <div role="alert" className={classes["meanwhile"]}>
      <p>
        {canSubmit
          ? "The request changed in the meantime. Review it before you continue."
          : "The request changed in the meantime, so this is no longer possible."}
      </p>
      {events.length > 0 && (
        <ul>
          {events.map((event) => (
            <li key={event.id}>
              {eventText(event, iterations.find(({ id }) => id === event.iterationId)?.number)}, <FlowTime epochMs={event.timeMs} />
            </li>
          ))}
        </ul>
      )}
      <Flex component="p" gap="sm" wrap="wrap">
        <span>Now:</span>
        <StatusMark status={request.status} />
        <span>{`iteration ${request.iterations}`}</span>
      </Flex>
    </div>
  );
}
