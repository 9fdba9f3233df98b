import { ownValue } from "@fairway/contract/records";
import { emptyColumnsListed, type QualityIssue, type QualityThresholds } from "@fairway/contract/dataset-quality";
import { byName } from "@fairway/contract/name-order";

/** Key figures of a dataset at one time. */
export interface Measurement {
  readonly measuredMs: number;
  readonly rows: number;
  /** Null without a temporal field or without times. */
  readonly newestMs: number | null;
  /** Rows without a value per column. */
  readonly empty: Readonly<Record<string, number>>;
}

/** State that an evaluation hands to the next one, because measurements are kept for a limited time. */
export interface QualityState {
  readonly issues: readonly QualityIssue[];
  /** All empty columns that had values before, with the time of the first measurement without any. */
  readonly emptySince: Readonly<Record<string, number>>;
}

export const noIssues: QualityState = { issues: [], emptySince: {} };

/**
 * The issues of a dataset by its measurements, newest first. A single measurement has none: there is nothing to compare with,
 * and a new dataset may still be filling.
 */
export function evaluateQuality(
  measurements: readonly Measurement[],
  thresholds: QualityThresholds,
  previous: Pick<QualityState, "emptySince"> = noIssues,
): QualityState {
  const [latest] = measurements;
  if (latest === undefined || measurements.length < 2) return noIssues;
  const emptySince = thresholds.emptyColumns ? emptyColumns(measurements, latest, previous.emptySince) : {};
  return {
    issues: [...lateRows(measurements, thresholds), ...rowDrop(measurements, latest, thresholds), ...emptyColumnsIssue(emptySince)],
    emptySince,
  };
}

const hourMs = 3_600_000;

/** Judged at the time of the measurement: newer rows may have arrived since. */
function lateRows(measurements: readonly Measurement[], { lateAfterHours, isByRhythm }: QualityThresholds): QualityIssue[] {
  const [latest] = measurements;
  if (lateAfterHours === null || latest === undefined || latest.newestMs === null) return [];
  const changedMs = isByRhythm ? lastChangeMs(measurements) : undefined;
  // Times in the future, such as those of forecasts, say nothing on when rows arrived.
  const times = [latest.newestMs, changedMs].filter((time) => time !== undefined && time <= latest.measuredMs);
  if (times.length === 0) return [];
  const updatedMs = Math.max(...times.map(Number));
  const sinceMs = updatedMs + lateAfterHours * hourMs;
  return latest.measuredMs > sinceMs ? [{ kind: "late", sinceMs, updatedMs, lateAfterHours }] : [];
}

/** Undefined without a change. */
function lastChangeMs(measurements: readonly Measurement[]): number | undefined {
  return measurements.find((one, index) => {
    const before = measurements[index + 1];
    return before !== undefined && (before.rows !== one.rows || before.newestMs !== one.newestMs);
  })?.measuredMs;
}

/**
 * The latest drop from which the rows have not recovered. Recovered means that a drop to this count would be none. A drop that
 * is older than all measurements is no issue anymore: the lower count has become the usual one.
 */
function rowDrop(measurements: readonly Measurement[], latest: Measurement, { rowDropPercent }: QualityThresholds): QualityIssue[] {
  const isBelow = (rows: number, before: number) => before > 0 && before - rows >= (before * rowDropPercent) / 100;
  let drop: { before: number; sinceMs: number } | null = null;
  let previous: number | null = null;
  for (const { rows, measuredMs } of measurements.toReversed()) {
    if (drop !== null && !isBelow(rows, drop.before)) drop = null;
    if (drop === null && previous !== null && isBelow(rows, previous)) drop = { before: previous, sinceMs: measuredMs };
    previous = rows;
  }
  return drop === null ? [] : [{ kind: "row-drop", ...drop, rows: latest.rows }];
}

/** Columns without any value that had one in an earlier measurement, or are known to have become empty before those. */
function emptyColumns(
  measurements: readonly Measurement[],
  latest: Measurement,
  previous: QualityState["emptySince"],
): Record<string, number> {
  // Without rows, no column has values, which is not the columns' fault.
  if (latest.rows === 0) return previous;
  const withRows = measurements.filter(({ rows }) => rows > 0);
  const since: [string, number][] = [];
  for (const [name, empty] of Object.entries(latest.empty)) {
    if (empty < latest.rows) continue;
    const filled = withRows.findIndex((one) => ownValue(one.empty, name) !== one.rows);
    const first = withRows.at(filled - 1)?.measuredMs;
    // A measurement without the column says that it was added later.
    const hadValues = filled >= 0 && ownValue(withRows[filled]?.empty ?? {}, name) !== undefined;
    const known = ownValue(previous, name);
    if (hadValues && first !== undefined) since.push([name, first]);
    else if (filled === -1 && known !== undefined) since.push([name, known]);
  }
  return Object.fromEntries(since);
}

export function emptyColumnsIssue(emptySince: Readonly<Record<string, number>>): QualityIssue[] {
  const columns = Object.entries(emptySince).map(([name, sinceMs]) => ({ name, sinceMs }));
  if (columns.length === 0) return [];
  return [
    {
      kind: "empty-columns",
      sinceMs: Math.min(...columns.map(({ sinceMs }) => sinceMs)),
      count: columns.length,
      columns: columns.toSorted(byName).slice(0, emptyColumnsListed),
    },
  ];
}

/** Tells states apart by what people would notice, not by counts that change with every measurement. */
export const signatureOf = (issues: readonly QualityIssue[]): string =>
  JSON.stringify(
    issues.map((issue) =>
      issue.kind === "empty-columns"
        ? [issue.kind, issue.count, issue.columns.map(({ name }) => name)]
        : [issue.kind, issue.kind === "row-drop" ? issue.before : 0],
    ),
  );
