import { Box, Button } from "@mantine/core";
import { keepPreviousData, useIsFetching, useQuery, useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { announce } from "#ui/announcer.tsx";
import { Elapsed } from "#ui/elapsed.tsx";
import { ErrorState, LoadingRows } from "#ui/states.tsx";
import type { CardActions } from "./card-actions.ts";
import { titleOf } from "./model/measure-wording.ts";
import { footOf, sentenceOf } from "./model/sentence.ts";
import { type StoredSummary, summaryProblems } from "./model/summary.ts";
import { SummaryBody } from "./summary-body.tsx";
import { SummaryMenu } from "./summary-menu.tsx";
import { summaryQuery } from "./summary-query.ts";
import classes from "./summaries.module.css";

interface Props extends CardActions {
  record: SearchRecord;
  summary: StoredSummary;
  isEdited: boolean;
}

/** One summary: what it shows, its figures, and its actions. */
export function SummaryCard({ record, summary, isEdited, ...actions }: Props) {
  const title = summary.title ?? titleOf(summary.breakdown);
  const heading = `summary-${summary.id}`;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement) return;
    const run = { e: actions.onEdit, t: actions.onSwitchChart }[event.key.toLowerCase()];
    if (run === undefined) return;
    event.preventDefault();
    run();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- E and T act wherever the focus is in it
    <section id={`card-${summary.id}`} tabIndex={-1} className={classes["card"]} aria-labelledby={heading} onKeyDown={onKeyDown}>
      <div className={classes["head"]}>
        <h2 id={heading}>{title}</h2>
        {isEdited && <span className={classes["muted"]}>Editing</span>}
        <Box component="span" flex={1} />
        <SummaryMenu title={title} {...actions} />
      </div>
      <Answer record={record} summary={summary} title={title} {...actions} />
    </section>
  );
}

const redrawAfterMs = 400;
/** An answer that took longer is asked for again only by a press. */
const slowMs = 5_000;

function Answer({ record, summary, title, ...actions }: Omit<Props, "isEdited"> & { title: string }) {
  const { breakdown } = summary;
  const [asked, setAsked] = useState(breakdown);
  const problems = summaryProblems(breakdown);
  const query = useQuery({ ...summaryQuery(record, asked), placeholderData: keepPreviousData });
  const isChanged = JSON.stringify(asked) !== JSON.stringify(breakdown);
  const isPaused = isChanged && (query.data?.durationMs ?? 0) > slowMs;
  const canAsk = problems.length === 0;
  useEffect(() => {
    if (!isChanged || isPaused || !canAsk) return undefined;
    const timer = setTimeout(() => setAsked(breakdown), redrawAfterMs);
    return () => clearTimeout(timer);
  }, [isChanged, isPaused, canAsk, breakdown]);
  const client = useQueryClient();
  const { queryKey } = summaryQuery(record, asked);
  const isFetching = useIsFetching({ queryKey, exact: true }) > 0;
  const cancel = () => void client.cancelQueries({ queryKey, exact: true });
  const { data, error } = query;
  useAnnounced(title, data && !query.isPlaceholderData ? sentenceOf(asked, data) : null);
  if (problems.length > 0) return <p className={classes["note"]}>{problems.join(" ")}</p>;
  if (error !== null && !isFetching)
    return <ErrorState message="Error loading graph." details={messagesOf(error)} onRetry={() => void query.refetch()} />;
  if (data === undefined || query.isPlaceholderData) {
    if (!isFetching)
      return (
        <div className={classes["waiting"]}>
          <p>Canceled before the values arrived.</p>
          <Button variant="default" onClick={() => void query.refetch()}>
            Load graph
          </Button>
        </div>
      );
    if (data === undefined)
      return (
        <>
          <LoadingRows label={`Loading ${title}`} rows={6} />
          <Running key={queryKey.map(String).join()} onCancel={cancel} />
        </>
      );
  }
  return (
    <>
      {isPaused ? (
        <div className={classes["paused"]}>
          <span>Preview paused</span>
          <Button size="compact-sm" variant="default" onClick={() => setAsked(breakdown)}>
            Draw
          </Button>
        </div>
      ) : null}
      <div data-old={query.isPlaceholderData || undefined} className={classes["answer"]} aria-busy={isFetching}>
        <p className={classes["say"]}>{sentenceOf(asked, data)}</p>
        <SummaryBody record={record} summary={{ ...summary, breakdown: asked }} title={title} answer={data} {...actions} />
        <p className={classes["foot"]}>
          <span>{footOf(asked, data)}</span>
          <span>{`${data.measures.some(({ isEstimate }) => isEstimate) ? "With estimates" : "Exact"}, ${data.durationMs} ms`}</span>
        </p>
      </div>
      {isFetching && <Running key={JSON.stringify(asked)} onCancel={cancel} />}
    </>
  );
}

function Running({ onCancel }: { onCancel: () => void }) {
  const [startedMs] = useState(() => Date.now());
  return <Elapsed text="Computing" startedMs={startedMs} onCancel={onCancel} />;
}

/** Says what was drawn after a change. */
function useAnnounced(title: string, sentence: string | null): void {
  const last = useRef<string | null>(null);
  useEffect(() => {
    if (sentence === null || sentence === last.current) return;
    last.current = sentence;
    announce(`${title}: ${sentence}`);
  }, [title, sentence]);
}
