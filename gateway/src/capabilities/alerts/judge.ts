import type { AlertCondition } from "@fairway/contract/alerts";
import type { TimeCells } from "./time-cells.ts";

/** Result of one run of a search. */
export interface Look {
  /** Null if only new rows were counted. */
  readonly rows: number | null;
  /** Since the look before; null if there was none. */
  readonly newRows: number | null;
  /** Time of the newest row that any look found and that is not ahead of the clock; null without one. */
  readonly newestMs: number | null;
  /** Counts by time that tell the next check which rows are new; undefined if only their number does. */
  readonly cells?: TimeCells;
}

/** Results of earlier checks, stored with the alert. */
export interface AlertMemory {
  /** Names search and condition; what is known of others means nothing. */
  readonly of: string;
  readonly rows: number | null;
  readonly newestMs: number | null;
  readonly cells?: TimeCells;
  /** The number of rows that the last message told, or that the first look found. */
  readonly toldRows: number | null;
  /** New rows that no message has told yet. */
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
  /** Sends nothing; what happens is told after the mute has ended. */
  readonly isMuted: boolean;
}

/** Decides what a look means. Each change is told once, however many looks find it. */
export function judge({ condition, tellWhenOver, isMuted }: Judged, of: string, before: AlertMemory | null, look: Look): Verdict {
  const memory: AlertMemory = {
    of,
    rows: look.rows ?? before?.rows ?? null,
    newestMs: look.newestMs ?? before?.newestMs ?? null,
    ...(look.cells === undefined ? {} : { cells: look.cells }),
    toldRows: before?.toldRows ?? look.rows,
    untoldRows: before?.untoldRows ?? 0,
    isTold: before?.isTold ?? false,
  };
  switch (condition.kind) {
    case "new-rows": {
      const newRows = look.newRows ?? 0;
      const untoldRows = memory.untoldRows + newRows;
      if (untoldRows === 0 || isMuted) return { isFiring: newRows > 0, message: null, memory: { ...memory, untoldRows } };
      return { isFiring: newRows > 0, message: { kind: "new-rows", newRows: untoldRows }, memory: { ...memory, untoldRows: 0 } };
    }
    case "changed": {
      const rows = look.rows ?? 0;
      const told = memory.toldRows ?? rows;
      const isFiring = Math.abs(rows - told) * 100 >= condition.percent * told && rows !== told;
      if (!isFiring || isMuted) return { isFiring, message: null, memory };
      return { isFiring, message: { kind: "changed", rows, before: told }, memory: { ...memory, toldRows: rows } };
    }
    case "above":
    case "below": {
      const rows = look.rows ?? 0;
      const isFiring = condition.kind === "above" ? rows > condition.rows : rows < condition.rows;
      if (isFiring === memory.isTold || isMuted) return { isFiring, message: null, memory };
      const message = isFiring ? ({ kind: "rows", rows } as const) : tellWhenOver ? ({ kind: "over", rows } as const) : null;
      return { isFiring, message, memory: { ...memory, isTold: isFiring } };
    }
    default:
      return condition satisfies never;
  }
}
