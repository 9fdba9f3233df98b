import { serveFileTask } from "#threads/file-worker-side.ts";
import { type CsvFileParts, linesOfRows } from "./csv-copy.ts";

/** Rows of a CSV file whose lines are wanted. */
export interface CsvLinesTask {
  readonly parts: Omit<CsvFileParts, "signal">;
  readonly indices: ReadonlySet<number>;
}

/** The worker is terminated instead. */
const never = new AbortController().signal;

serveFileTask(({ parts, indices }: CsvLinesTask) => linesOfRows({ ...parts, signal: never }, indices));
