import type { Reading, ReadingChoices } from "@fairway/contract/readings";

export interface ReadingReportProps {
  reading: Reading;
  choices: ReadingChoices;
  onChoices: (choices: ReadingChoices) => void;
  /** Sentences that are shown beside the report, which does not repeat them. */
  alreadyShown?: readonly string[];
  /** Whether the columns are listed. Default: true. */
  hasColumns?: boolean;
}
