import type { Reading, ReadingChoices } from "@fairway/contract/readings";

export interface ReadingReportProps {
  reading: Reading;
  choices: ReadingChoices;
  onChoices: (choices: ReadingChoices) => void;
}
