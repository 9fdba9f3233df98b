import { type CopyTarget, serveCopy } from "./copy-worker-side.ts";
import { type CsvFileParts, plainCsv } from "./csv-copy.ts";

/** A CSV file to be copied as plain CSV. */
export interface CsvTask extends CopyTarget {
  readonly parts: Omit<CsvFileParts, "signal">;
}

/** The worker is terminated instead. */
const never = new AbortController().signal;

serveCopy(({ parts }: CsvTask) => plainCsv({ ...parts, signal: never }));
