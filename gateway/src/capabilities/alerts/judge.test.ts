import type { AlertCondition } from "@fairway/contract/alerts";
import { expect, it } from "vitest";
import { type AlertMemory, judge, type Look } from "./judge.ts";

/** Messages of successive checks. Each entry is the number of rows that a check finds; `muted` checks send nothing. */
function toldOf(condition: AlertCondition, looks: readonly (number | { muted: number })[], tellWhenOver = false) {
  let memory: AlertMemory | null = null;
  return looks.map((step) => {
    const isMuted = typeof step === "object";
    const value = typeof step === "object" ? step.muted : step;
    const look: Look =
      condition.kind === "new-rows"
        ? { rows: null, newRows: memory === null ? null : value, newestMs: value }
        : { rows: value, newRows: null, newestMs: null };
    const verdict = judge({ condition, tellWhenOver, isMuted }, "search", memory, look);
    memory = verdict.memory;
    return [verdict.isFiring, verdict.message];
  });
}

const rows = (count: number) => ({ kind: "rows", rows: count });

it("a limit tells once that it is passed, and again only after it was not", () => {
  expect(toldOf({ kind: "above", rows: 10 }, [10, 11, 12, 9, 11])).toEqual([
    [false, null],
    [true, rows(11)],
    [true, null],
    [false, null],
    [true, rows(11)],
  ]);
  expect(toldOf({ kind: "below", rows: 10 }, [10, 9, 10])).toEqual([
    [false, null],
    [true, rows(9)],
    [false, null],
  ]);
});

it("a limit tells when it is over if that is wanted", () => {
  expect(toldOf({ kind: "above", rows: 10 }, [11, 9, 8], true)).toEqual([
    [true, rows(11)],
    [false, { kind: "over", rows: 9 }],
    [false, null],
  ]);
});

it("new rows are told once, not those of the first look", () => {
  expect(toldOf({ kind: "new-rows" }, [100, 3, 0, 2])).toEqual([
    [false, null],
    [true, { kind: "new-rows", newRows: 3 }],
    [false, null],
    [true, { kind: "new-rows", newRows: 2 }],
  ]);
});

it("a change counts from what was told last", () => {
  const changed = (count: number, before: number) => ({ kind: "changed", rows: count, before });
  expect(toldOf({ kind: "changed", percent: 20 }, [100, 110, 120, 130, 96, 96])).toEqual([
    [false, null],
    [false, null],
    [true, changed(120, 100)],
    [false, null],
    [true, changed(96, 120)],
    [false, null],
  ]);
  expect(toldOf({ kind: "changed", percent: 20 }, [0, 0, 1])).toEqual([
    [false, null],
    [false, null],
    [true, changed(1, 0)],
  ]);
});

it("what happens while it is snoozed is told afterwards, together", () => {
  expect(toldOf({ kind: "new-rows" }, [100, { muted: 3 }, { muted: 4 }, 0, 0])).toEqual([
    [false, null],
    [true, null],
    [true, null],
    [false, { kind: "new-rows", newRows: 7 }],
    [false, null],
  ]);
  expect(toldOf({ kind: "above", rows: 10 }, [9, { muted: 11 }, 12, { muted: 9 }, { muted: 11 }, 11])).toEqual([
    [false, null],
    [true, null],
    [true, rows(12)],
    [false, null],
    [true, null],
    [true, null],
  ]);
  expect(toldOf({ kind: "changed", percent: 20 }, [100, { muted: 150 }, 150])).toEqual([
    [false, null],
    [true, null],
    [true, { kind: "changed", rows: 150, before: 100 }],
  ]);
});
