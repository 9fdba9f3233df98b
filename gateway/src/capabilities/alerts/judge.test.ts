import type { AlertCondition } from "@fairway/contract/alerts";
import { expect, it } from "vitest";
import { type AlertMemory, judge, type CheckResult } from "./judge.ts";

/** Messages of successive checks. Each entry is the number of rows that a check finds; `muted` checks send nothing. */
function messagesOf(condition: AlertCondition, checks: readonly (number | { muted: number })[], tellWhenOver = false) {
  let memory: AlertMemory | null = null;
  return checks.map((step) => {
    const isMuted = typeof step === "object";
    const value = typeof step === "object" ? step.muted : step;
    const result: CheckResult =
      condition.kind === "new-rows"
        ? { rows: null, newRows: memory === null ? null : value, newestMs: value }
        : { rows: value, newRows: null, newestMs: null };
    const verdict = judge({ condition, tellWhenOver, isMuted }, "search", memory, result);
    memory = verdict.memory;
    return [verdict.isFiring, verdict.message];
  });
}

const rows = (count: number) => ({ kind: "rows", rows: count });

it("a limit is reported once when it is passed, and again only after it was not", () => {
  expect(messagesOf({ kind: "above", rows: 10 }, [10, 11, 12, 9, 11])).toEqual([
    [false, null],
    [true, rows(11)],
    [true, null],
    [false, null],
    [true, rows(11)],
  ]);
  expect(messagesOf({ kind: "below", rows: 10 }, [10, 9, 10])).toEqual([
    [false, null],
    [true, rows(9)],
    [false, null],
  ]);
});

it("the end of a passed limit is reported if that is wanted", () => {
  expect(messagesOf({ kind: "above", rows: 10 }, [11, 9, 8], true)).toEqual([
    [true, rows(11)],
    [false, { kind: "over", rows: 9 }],
    [false, null],
  ]);
});

it("new rows are reported once, not those of the first check", () => {
  expect(messagesOf({ kind: "new-rows" }, [100, 3, 0, 2])).toEqual([
    [false, null],
    [true, { kind: "new-rows", newRows: 3 }],
    [false, null],
    [true, { kind: "new-rows", newRows: 2 }],
  ]);
});

it("a change counts from the number that was reported last", () => {
  const changed = (count: number, before: number) => ({ kind: "changed", rows: count, before });
  expect(messagesOf({ kind: "changed", percent: 20 }, [100, 110, 120, 130, 96, 96])).toEqual([
    [false, null],
    [false, null],
    [true, changed(120, 100)],
    [false, null],
    [true, changed(96, 120)],
    [false, null],
  ]);
  expect(messagesOf({ kind: "changed", percent: 20 }, [0, 0, 1])).toEqual([
    [false, null],
    [false, null],
    [true, changed(1, 0)],
  ]);
});

it("rows that appear while it is snoozed are reported afterwards, together", () => {
  expect(messagesOf({ kind: "new-rows" }, [100, { muted: 3 }, { muted: 4 }, 0, 0])).toEqual([
    [false, null],
    [true, null],
    [true, null],
    [false, { kind: "new-rows", newRows: 7 }],
    [false, null],
  ]);
  expect(messagesOf({ kind: "above", rows: 10 }, [9, { muted: 11 }, 12, { muted: 9 }, { muted: 11 }, 11])).toEqual([
    [false, null],
    [true, null],
    [true, rows(12)],
    [false, null],
    [true, null],
    [true, null],
  ]);
  expect(messagesOf({ kind: "changed", percent: 20 }, [100, { muted: 150 }, 150])).toEqual([
    [false, null],
    [true, null],
    [true, { kind: "changed", rows: 150, before: 100 }],
  ]);
});
