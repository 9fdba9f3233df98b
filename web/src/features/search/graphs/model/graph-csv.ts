import { escapeFormula } from "@fairway/contract/formula-text";
import { csvLine } from "#parts/result-export/csv.ts";
import type { GraphModel } from "@fairway/contract/charts/graph-model";
import { labelWithUnit } from "@fairway/contract/charts/graph-wording";

/** CSV (RFC 4180): one row per group with unmodified values, plus start and end of temporal groups. */
export function graphCsv({ groups, columns, values }: GraphModel): string {
  const isTemporal = groups.some(({ time }) => time !== null);
  const header = ["Group", ...(isTemporal ? ["From", "To"] : []), ...columns.map((column) => escapeFormula(labelWithUnit(column)))];
  const lines = groups.map(({ label, time }, index) => [
    escapeFormula(label),
    ...(isTemporal ? (time ? [isoOf(time.startMs), isoOf(time.endMs)] : ["", ""]) : []),
    ...columns.map((_, columnIndex) => String(values[index]?.[columnIndex] ?? "")),
  ]);
  return [header, ...lines].map(csvLine).join("");
}

const isoOf = (epochMs: number): string => new Date(epochMs).toISOString();
