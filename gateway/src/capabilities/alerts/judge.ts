import type { AlertCondition } from "@fairway/contract/alerts";
import type { Operator } from "@fairway/contract/columns";
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
  /** Of conditions on a figure. Null without rows or a value. */
  readonly figure?: { readonly value: number | null; readonly unit: string | null };
  /** Of conditions on groups: those that meet it, the furthest beyond the limit first. */
  readonly crossing?: { readonly groups: readonly GroupFigure[]; readonly unit: string | null };
}

/** A group by its value, with its figure. */
export interface GroupFigure {
  /** Tells groups apart. */
  readonly key: string;
  readonly name: string;
  readonly value: number;
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
  /** Keys of the groups that a message was about, and that have met the condition since. */
  readonly toldGroups?: readonly string[];
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
  | { readonly kind: "over"; readonly rows: number }
  | { readonly kind: "figure"; readonly value: number; readonly unit: string | null }
  | { readonly kind: "figure-over"; readonly value: number | null; readonly unit: string | null }
  | { readonly kind: "groups"; readonly groups: readonly GroupFigure[]; readonly unit: string | null };

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
    case "measure": {
      const { value, unit } = result.figure ?? { value: null, unit: null };
      const isFiring = value !== null && compares(value, condition.operator, condition.value);
      if (isFiring === memory.isTold || isMuted) return { isFiring, message: null, memory };
      const over = tellWhenOver ? ({ kind: "figure-over", value, unit } as const) : null;
      return { isFiring, message: isFiring ? { kind: "figure", value, unit } : over, memory: { ...memory, isTold: isFiring } };
    }
    case "groups": {
      const { groups, unit } = result.crossing ?? { groups: [], unit: null };
      const isFiring = groups.length > 0;
      const told = new Set(before?.toldGroups);
      // A group that was back is news when it crosses again, also if it did both while messages were off.
      const still = groups.filter(({ key }) => told.has(key)).map(({ key }) => key);
      const news = groups.filter(({ key }) => !told.has(key));
      if (news.length === 0 || isMuted) return { isFiring, message: null, memory: { ...memory, toldGroups: still } };
      return { isFiring, message: { kind: "groups", groups: news, unit }, memory: { ...memory, toldGroups: groups.map(({ key }) => key) } };
    }
    default:
      return condition satisfies never;
  }
}

const comparisons: Readonly<Record<Operator, (value: number, limit: number) => boolean>> = {
  "=": (value, limit) => value === limit,
  "<>": (value, limit) => value !== limit,
  "<": (value, limit) => value < limit,
  "<=": (value, limit) => value <= limit,
  ">": (value, limit) => value > limit,
  ">=": (value, limit) => value >= limit,
};

export const compares = (value: number, operator: Operator, limit: number): boolean => comparisons[operator](value, limit);
