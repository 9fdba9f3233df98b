import type { Column } from "@fairway/contract/columns";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { EmptyState, ErrorState, LoadingRows } from "#ui/states.tsx";
import type { ReadingChoices } from "@fairway/contract/readings";
import type { Proposal } from "./found-dataset-queries.ts";
import { ReadingReport } from "#parts/reading/reading-report.tsx";
import { SampleRows } from "./sample-rows.tsx";
import classes from "./datasets.module.css";

interface Props {
  /** Null while nothing is chosen. */
  proposal: Proposal | null;
  /** Recommended action. */
  hint: string;
  choices: ReadingChoices;
  onChoices: (choices: ReadingChoices) => void;
}

/** The dataset that the chosen source would make, with its first rows. */
export function FoundDataset({ proposal, hint, choices, onChoices }: Props) {
  if (proposal === null) return <EmptyState>{hint}</EmptyState>;
  const { found, error, isReading } = proposal;
  const failure = error && !isReading && (
    <ErrorState
      message={found === undefined ? "No dataset could be created from it." : "The data can't be read with these choices."}
      details={messagesOf(error)}
      onRetry={() => void proposal.refetch()}
    />
  );
  if (found === undefined) return failure || <LoadingRows label="Reading the data" rows={8} />;
  const { problems, notes, dataset, sample, reading } = found;
  return (
    <>
      <div role="status" className={classes["again"]}>
        {isReading && "Reading the data again"}
      </div>
      {failure}
      {problems.length > 0 && (
        <ul className={classes["problems"]} aria-label="What can't be read">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      {reading && <ReadingReport reading={reading} choices={choices} onChoices={onChoices} alreadyShown={problems} />}
      <ul className={classes["notes"]}>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      <SampleRows columns={(dataset["schema"] as { columns: readonly Column[] }).columns} rows={sample} />
    </>
  );
}
