import type { BreakdownAnswer } from "@fairway/contract/breakdowns";
import type { Summary } from "@fairway/contract/summaries";
import { narrowed, excluded } from "#features/search/summaries/model/narrow.ts";
import { byValues, type StoredSummary } from "#features/search/summaries/model/summary.ts";
import { SummaryBody } from "#features/search/summaries/summary-body.tsx";
import type { SearchFilters, SearchRecord } from "#parts/search-model/search-record.ts";
import classes from "./panels.module.css";

/** `summary`: null for the rows in the table. */
export type OpenPanelSearch = (filters: SearchFilters, summary: Summary | null) => void;

interface Props {
  title: string;
  record: SearchRecord;
  summary: Summary;
  answer: BreakdownAnswer;
  onSearch: OpenPanelSearch;
}

/** A summary on a board. What is pressed opens as a search, because the board stays as its owner made it. */
export default function SummaryPanel({ title, record, summary, answer, onSearch }: Props) {
  const { datasetDescription: description, filters } = record;
  const stored: StoredSummary = { ...summary, id: record.id };
  return (
    <div className={classes["summary"]}>
      <SummaryBody
        record={record}
        summary={stored}
        title={title}
        answer={answer}
        view="chart"
        onChange={(breakdown) => onSearch(filters, { ...summary, breakdown })}
        onOpen={(entries, how) => {
          const [entry] = entries;
          const next = how.kind === "exclude" ? entry && excluded(description, filters, entry) : narrowed(description, filters, entries);
          if (!next) return;
          const further = how.kind === "further" && {
            title: null,
            chart: null,
            breakdown: { ...summary.breakdown, by: [byValues(how.column)] },
          };
          onSearch(next, how.kind === "rows" ? null : further || summary);
        }}
      />
    </div>
  );
}
