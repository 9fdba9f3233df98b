import { expect, it } from "vitest";
import { nextPosition } from "./use-cells.ts";

const size = { rows: 25, columns: 4, page: 10 };
const keyPress = (keys: string) => {
  const parts = keys.split("+");
  return {
    key: parts.at(-1) ?? "",
    ctrlKey: parts.includes("Ctrl"),
    metaKey: false,
    altKey: parts.includes("Alt"),
    shiftKey: parts.includes("Shift"),
  };
};

it.each([
  ["ArrowDown", [3, 1], [4, 1]],
  ["ArrowUp", [1, 1], [0, 1]],
  ["ArrowUp", [0, 1], [0, 1]],
  ["ArrowDown", [25, 1], [25, 1]],
  ["ArrowRight", [3, 1], [3, 2]],
  ["ArrowRight", [3, 3], [3, 3]],
  ["ArrowLeft", [3, 0], [3, 0]],
  ["Home", [3, 2], [3, 0]],
  ["End", [3, 0], [3, 3]],
  ["Ctrl+Home", [20, 3], [1, 0]],
  ["Ctrl+End", [1, 0], [25, 3]],
  ["Ctrl+ArrowDown", [2, 2], [25, 2]],
  ["Ctrl+ArrowUp", [20, 2], [1, 2]],
  ["Ctrl+ArrowRight", [2, 0], [2, 3]],
  ["PageDown", [1, 2], [11, 2]],
  ["PageDown", [20, 2], [25, 2]],
  ["PageUp", [5, 2], [1, 2]],
  ["PageUp", [21, 2], [11, 2]],
])("%s moves from %j to %j", (keys, [row = 0, column = 0], [toRow, toColumn]) => {
  expect(nextPosition(keyPress(keys), { row, column }, size)).toEqual({ row: toRow, column: toColumn });
});

it.each(["a", "Enter", "Escape", "Alt+ArrowLeft", "Shift+ArrowRight"])("%s does not move", (keys) => {
  expect(nextPosition(keyPress(keys), { row: 1, column: 1 }, size)).toBeNull();
});

it("stays in the header of an empty table", () => {
  expect(nextPosition(keyPress("Ctrl+End"), { row: 0, column: 0 }, { rows: 0, columns: 3, page: 10 })).toEqual({ row: 0, column: 2 });
  expect(nextPosition(keyPress("PageUp"), { row: 0, column: 0 }, { rows: 0, columns: 3, page: 10 })).toEqual({ row: 0, column: 0 });
});
