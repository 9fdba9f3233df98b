import { guardedText } from "@fairway/contract/formula-text";
import { csvLine } from "#parts/result-export/csv.ts";
import type { GraphModel } from "./graph-model.ts";
import { measuredLabel } from "./graph-wording.ts";

/** RFC 4180: a line per group with its values as they came; of a temporal graph with its first and last moment, too. */
export function graphCsv({ groups, columns, values }: GraphModel): string {
  const isTemporal = groups.some(({ time }) => time !== null);
  const header = ["Group", ...(isTemporal ? ["From", "To"] : []), ...columns.map((column) => guardedText(measuredLabel(column)))];
  const lines = groups.map(({ label, time }, index) => [
    guardedText(label),
    ...(isTemporal ? (time ? [isoOf(time.startMs), isoOf(time.endMs)] : ["", ""]) : []),
    ...columns.map((_, place) => String(values[index]?.[place] ?? "")),
  ]);
  return [header, ...lines].map(csvLine).join("");
}

const isoOf = (epochMs: number): string => new Date(epochMs).toISOString();
