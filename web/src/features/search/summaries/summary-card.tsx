import type { BreakdownAnswer } from "@fairway/contract/breakdowns";
import { formatCount, formatList } from "@fairway/contract/counts";
import { Box, Button } from "@mantine/core";
import { keepPreviousData, useIsFetching, useQuery, useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { logFailure } from "#lib/browser/log.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { announce } from "#ui/announcer.tsx";
import { Elapsed } from "#ui/elapsed.tsx";
import { pressed } from "#ui/shortcut-keys.ts";
import { toastError } from "#ui/toast/toast.ts";
import { ErrorState, LoadingRows } from "#ui/states.tsx";
import type { CardActions } from "./card-actions.ts";
import { labeledAnswer, labeledBreakdown, labelOfId, titleOf } from "@fairway/contract/charts/measure-wording";
import { Computation } from "./computation.tsx";
import { measuresCoarseValues } from "./model/measures-coarse-values.ts";
import { isTooLarge, mendings } from "./model/mending.ts";
import { footOf, sentenceOf } from "@fairway/contract/charts/sentence";
import type { Asked } from "@fairway/contract/charts/asked";
import { type StoredSummary, summaryProblems } from "./model/summary.ts";
import { SummaryBody } from "./summary-body.tsx";
import { downloadSummary } from "./summary-picture.ts";
import { SummaryMenu } from "./summary-menu.tsx";
import { type SummaryView, ViewSwitch } from "./view-switch.tsx";
import { summaryQuery } from "./summary-query.ts";
import classes from "./summaries.module.css";

interface Props extends CardActions {
  record: SearchRecord;
  summary: StoredSummary;
  isEdited: boolean;
}

/** One summary: what it shows, its figures, and its actions. */
export function SummaryCard({ record, summary, isEdited, ...actions }: Props) {
  const title = summary.title ?? titleOf(labeledBreakdown(summary.breakdown, record.datasetDescription.schema.columns));
  const heading = `summary-${summary.id}`;
  const [view, setView] = useState<SummaryView>("both");
  const { data: answer } = useQuery({ ...summaryQuery(record, summary.breakdown), enabled: false });
  const download =
    answer &&
    ((format: "png" | "svg") => {
      downloadSummary({ record, summary, title, answer }, format).catch((error: unknown) => {
        logFailure("The picture of a summary could not be created", error);
        toastError("Download failed", "The file could not be created.");
      });
    });
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isEdited) card.current?.scrollIntoView({ block: "start" });
  }, [isEdited]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    if (pressed(event, "summary.edit")) actions.onEdit();
    else if (pressed(event, "summary.table")) setView(view === "table" ? "both" : "table");
    else return;
    event.preventDefault();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- E and T act wherever the focus is in it
    <section ref={card} id={`card-${summary.id}`} tabIndex={-1} className={classes["card"]} aria-labelledby={heading} onKeyDown={onKeyDown}>
      <div className={classes["head"]}>
        <h2 id={heading}>{title}</h2>
        {isEdited && <span className={classes["muted"]}>Editing</span>}
        <Box component="span" flex={1} />
        <ViewSwitch summary={summary} title={title} view={view} onView={setView} />
        <SummaryMenu title={title} onDownload={download} {...actions} />
      </div>
      <Answer record={record} summary={summary} title={title} view={view} {...actions} />
    </section>
  );
}

const redrawAfterMs = 400;
/** An answer that took longer is asked for again only by a press. */
const slowMs = 5_000;

function Answer({ record, summary, title, view, ...actions }: Omit<Props, "isEdited"> & { title: string; view: SummaryView }) {
  const { breakdown } = summary;
  const { columns } = record.datasetDescription.schema;
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
  useAnnounced(title, data && !query.isPlaceholderData ? sentenceOf(asked, data, columns) : null);
  if (problems.length > 0) return <p className={classes["note"]}>{problems.join(" ")}</p>;
  if (error !== null && !isFetching)
    return (
      <ErrorState
        message="Error loading graph."
        details={messagesOf(error)}
        onRetry={isTooLarge(error) ? undefined : () => void query.refetch()}
        action={
          isTooLarge(error) &&
          mendings(asked).map((mending) => (
            <Button key={mending.label} variant="default" onClick={() => actions.onChange(mending.asked)}>
              {mending.label}
            </Button>
          ))
        }
      />
    );
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
        <SummaryBody record={record} summary={{ ...summary, breakdown: asked }} title={title} answer={data} view={view} {...actions} />
        <p className={classes["foot"]}>
          <span>
            {footOf(labeledBreakdown(asked, columns), labeledAnswer(data, columns))}
            {data.isCut && (
              <Button size="compact-xs" variant="subtle" onClick={actions.onExport}>
                Export table
              </Button>
            )}
          </span>
          <Computed record={record} asked={asked} answer={data} onExactly={() => actions.onChange({ ...breakdown, accuracy: "exact" })} />
        </p>
        <Computation record={record} asked={asked} answer={data} />
      </div>
      {isFetching && <Running key={JSON.stringify(asked)} onCancel={cancel} />}
    </>
  );
}

interface ComputedProps {
  record: SearchRecord;
  asked: Asked;
  answer: BreakdownAnswer;
  onExactly: () => void;
}

/** Whether the figures are exact, and how long they took. Estimates can be computed exactly. */
function Computed({ record, asked, answer, onExactly }: ComputedProps) {
  const estimates = answer.measures.filter(({ isEstimate }) => isEstimate).map(({ id }) => labelOfId(asked, id));
  const time = `${formatCount(answer.durationMs)} ms`;
  if (estimates.length === 0) return <span>{measuresCoarseValues(asked, record.datasetDescription) ? time : `Exact, ${time}`}</span>;
  return (
    <span>
      {`Estimates: ${formatList(estimates)}, ${time} `}
      <Button size="compact-xs" variant="subtle" onClick={onExactly}>
        Compute exactly
      </Button>
    </span>
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
