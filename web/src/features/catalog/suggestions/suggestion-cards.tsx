import { type DescriptionSuggestion, descriptionSuggestions } from "@fairway/contract/description-suggestions";
import { Button, Flex } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { isStaleVersion, messagesOf } from "#lib/gateway/gateway-error.ts";
import { localDate, localTime } from "#lib/time/local-time.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { InlineDiff } from "#ui/diff/inline-diff.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import { DeclineDialog } from "./decline-dialog.tsx";
import { refetchSuggestions } from "./queries.ts";
import { startSuggesting } from "./suggestion-draft.ts";
import { useSuggestions } from "./suggestions-context.tsx";
import classes from "./suggestions.module.css";

interface CardsProps {
  suggestions: readonly DescriptionSuggestion[];
  /** The community description as it is now. */
  stored: string;
}

/** Cards of suggestions, with what each changes. Reviewers approve or decline them, their authors change or withdraw them. */
export default function SuggestionCards({ suggestions, stored }: CardsProps) {
  return (
    <ul className={classes["cards"]}>
      {suggestions.map((suggestion) => (
        <Card key={suggestion.id} suggestion={suggestion} stored={stored} />
      ))}
    </ul>
  );
}

type Work = "approve" | "decline" | "withdraw";

const done: Record<Work, string> = { approve: "Suggestion approved", decline: "Suggestion declined", withdraw: "Suggestion withdrawn" };
const failed: Record<Work, string> = {
  approve: "The suggestion could not be approved",
  decline: "The suggestion could not be declined",
  withdraw: "The suggestion could not be withdrawn",
};

function Card({ suggestion, stored }: { suggestion: DescriptionSuggestion; stored: string }) {
  const { dataset, canReview } = useSuggestions();
  const { run, working } = useWork(suggestion, stored);
  const [isDeclining, setDeclining] = useState(false);
  const { description, replaces, isOwn, suggestedMs, columnName } = suggestion;
  const author = isOwn ? "You" : suggestion.name || suggestion.username;
  const withdraw = async () => {
    const isConfirmed = await confirm({
      title: "Withdraw this suggestion?",
      text: "Its text is deleted.",
      confirmLabel: "Withdraw",
      destructive: true,
    });
    if (isConfirmed) await run("withdraw");
  };
  return (
    <li className={classes["card"]} data-suggestion={suggestion.id} tabIndex={-1}>
      <p className={classes["author"]} title={localTime(suggestedMs)}>
        {`${author} ${isOwn ? "suggest" : "suggests"}, `}
        <span>{localDate(suggestedMs)}</span>
      </p>
      <InlineDiff before={stored} after={description} />
      {replaces !== stored && <p className={classes["note"]}>The description has changed since this was suggested.</p>}
      <Flex gap="sm" wrap="wrap" mt="sm">
        {canReview && (
          <>
            <Button
              variant="default"
              size="compact-sm"
              loading={working === "approve"}
              disabled={working !== null}
              onClick={() => void run("approve")}
            >
              Approve
            </Button>
            <Button variant="default" size="compact-sm" disabled={working !== null} onClick={() => setDeclining(true)}>
              Decline
            </Button>
          </>
        )}
        {isOwn && (
          <>
            {!canReview && (
              <Button variant="default" size="compact-sm" disabled={working !== null} onClick={() => startSuggesting(dataset, columnName)}>
                Change
              </Button>
            )}
            <Button
              variant="default"
              size="compact-sm"
              loading={working === "withdraw"}
              disabled={working !== null}
              onClick={() => void withdraw()}
            >
              Withdraw
            </Button>
          </>
        )}
      </Flex>
      <DeclineDialog
        opened={isDeclining}
        suggestionId={suggestion.id}
        author={author}
        onClose={() => setDeclining(false)}
        onDecline={async (reason) => {
          if (await run("decline", reason)) setDeclining(false);
        }}
      />
    </li>
  );
}

function useWork(suggestion: DescriptionSuggestion, stored: string) {
  const { dataset } = useSuggestions();
  const queries = useQueryClient();
  const [working, setWorking] = useState<Work | null>(null);
  const send = (work: Work, reason: string): Promise<void> => {
    const params = { category: dataset.datasetCategory, datasetId: dataset.datasetId, id: suggestion.id };
    if (work === "withdraw") return call(descriptionSuggestions.withdraw, { params });
    const { description } = suggestion;
    return call(descriptionSuggestions.decide, { params, body: { decision: work, description, replaces: stored, reason } });
  };
  /** Resolves to whether it succeeded. */
  const run = async (work: Work, reason = ""): Promise<boolean> => {
    if (working !== null) return false;
    const focusNext = nextFocus(suggestion.id);
    setWorking(work);
    try {
      await send(work, reason);
      await refetchSuggestions(queries, dataset);
      toastSuccess(done[work]);
      focusNext();
      return true;
    } catch (error) {
      // The card then shows what has changed.
      if (isStaleVersion(error)) await refetchSuggestions(queries, dataset);
      toastError(failed[work], messagesOf(error).join(" "));
      return false;
    } finally {
      setWorking(null);
    }
  };
  return { run, working };
}

/** The card that the focus moves to once this one is gone; without one, the page. */
function nextFocus(id: string): () => void {
  const cards = [...document.querySelectorAll<HTMLElement>("[data-suggestion]")];
  const index = cards.findIndex((card) => card.dataset["suggestion"] === id);
  const next = cards[index + 1] ?? cards[index - 1] ?? document.querySelector<HTMLElement>("h1");
  return () => next?.focus();
}
