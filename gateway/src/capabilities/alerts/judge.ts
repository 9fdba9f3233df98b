import type { AlertCondition } from "@fairway/contract/alerts";
import type { TimeCells } from "./time-cells.ts";

/** Result of one run of a search. */
export interface CheckResult {
  /** Null if only new rows were counted. */
  readonly rows: number | null;
  /** Since the previous check; null if there was none. */
  readonly newRows: number | null;
  /** Time of the newest row that any check found and that is not ahead of the clock; null without one. */
  readonly newestMs: number | null;
  /** Counts by time that tell the next check which rows are new; undefined if only their number does. */
  readonly cells?: TimeCells;
}

/** Results of earlier checks, stored with the alert as JSON under these names. */
export interface AlertMemory {
  /** Key of search and condition; results of others are ignored. */
  readonly of: string;
  readonly rows: number | null;
  readonly newestMs: number | null;
  readonly cells?: TimeCells;
  /** The number of rows that the last message reported, or that the first check found. */
  readonly toldRows: number | null;
  /** New rows that no message has reported yet. */
  readonly untoldRows: number;
  /** Whether the last message said that the condition holds. */
  readonly isTold: boolean;
}

export interface Verdict {
  readonly isFiring: boolean;
  /** The message to send now. */
  readonly message: AlertMessage | null;
  readonly memory: AlertMemory;
}

export type AlertMessage =
  | { readonly kind: "new-rows"; readonly newRows: number }
  | { readonly kind: "rows"; readonly rows: number }
  | { readonly kind: "changed"; readonly rows: number; readonly before: number }
  | { readonly kind: "over"; readonly rows: number };

interface Judged {
  readonly condition: AlertCondition;
  readonly tellWhenOver: boolean;
  /** Sends nothing; changes are reported after the mute has ended. */
  readonly isMuted: boolean;
}

/** Decides on the message for a result. Each change is reported once, however many checks find it. */
export function judge({ condition, tellWhenOver, isMuted }: Judged, key: string, before: AlertMemory | null, result: CheckResult): Verdict {
  const memory: AlertMemory = {
    of: key,
    rows: result.rows ?? before?.rows ?? null,
    newestMs: result.newestMs ?? before?.newestMs ?? null,
    ...(result.cells === undefined ? {} : { cells: result.cells }),
    toldRows: before?.toldRows ?? result.rows,
    untoldRows: before?.untoldRows ?? 0,
    isTold: before?.isTold ?? false,
  };
  switch (condition.kind) {
    case "new-rows": {
      const newRows = result.newRows ?? 0;
      const untoldRows = memory.untoldRows + newRows;
      if (untoldRows === 0 || isMuted) return { isFiring: newRows > 0, message: null, memory: { ...memory, untoldRows } };
      return { isFiring: newRows > 0, message: { kind: "new-rows", newRows: untoldRows }, memory: { ...memory, untoldRows: 0 } };
    }
    case "changed": {
      const rows = result.rows ?? 0;
      const reportedRows = memory.toldRows ?? rows;
      const isFiring = Math.abs(rows - reportedRows) * 100 >= condition.percent * reportedRows && rows !== reportedRows;
      if (!isFiring || isMuted) return { isFiring, message: null, memory };
      return { isFiring, message: { kind: "changed", rows, before: reportedRows }, memory: { ...memory, toldRows: rows } };
    }
    case "above":
    case "below": {
      const rows = result.rows ?? 0;
      const isFiring = condition.kind === "above" ? rows > condition.rows : rows < condition.rows;
      if (isFiring === memory.isTold || isMuted) return { isFiring, message: null, memory };
      const message = isFiring ? ({ kind: "rows", rows } as const) : tellWhenOver ? ({ kind: "over", rows } as const) : null;
      return { isFiring, message, memory: { ...memory, isTold: isFiring } };
    }
    default:
      return condition satisfies never;
  }
}
