import type { PreviewReading } from "@fairway/contract/readings";

/** Lines above the column names, such as a title or the line that names the delimiter. */
export const linesBeforeTable = (reading: PreviewReading | null): number =>
  reading === null ? 0 : reading.headerLine === null ? reading.skipLines : reading.headerLine - 1;
