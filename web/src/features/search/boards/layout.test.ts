import { describe, expect, it } from "vitest";
import { positionAfterKey, type Placed, readingOrder, withoutPanel, withPosition } from "./layout.ts";

const panel = (id: string, x: number, y: number, w = 6, h = 4): Placed => ({ id, place: { x, y, w, h } });
const positionsOf = (panels: readonly Placed[]) =>
  Object.fromEntries(panels.map(({ id, place: { x, y, w, h } }) => [id, [x, y, w, h].join(" ")]));

const board = [panel("a", 0, 0), panel("b", 6, 0), panel("c", 0, 4, 12, 4)];

describe("the positions of panels", () => {
  it("change with a move into free room, which closes the gap", () => {
    expect(positionsOf(withPosition([panel("a", 0, 0), panel("b", 0, 4)], "b", { x: 6, y: 4, w: 6, h: 4 }))).toEqual({
      a: "0 0 6 4",
      b: "6 0 6 4",
    });
  });

  it("make room for a panel that is moved onto others", () => {
    expect(positionsOf(withPosition(board, "c", { x: 0, y: 0, w: 12, h: 4 }))).toEqual({ a: "0 4 6 4", b: "6 4 6 4", c: "0 0 12 4" });
  });

  it("make room for a panel that grows, within the board", () => {
    expect(positionsOf(withPosition(board, "a", { x: 0, y: 0, w: 20, h: 5 }))).toEqual({ a: "0 0 12 5", b: "6 5 6 4", c: "0 9 12 4" });
    expect(positionsOf(withPosition(board, "a", { x: -3, y: -1, w: 0, h: 0 }))).toMatchObject({ a: "0 0 1 1" });
  });

  it("move up when a panel is removed", () => {
    expect(positionsOf(withoutPanel(board, "a"))).toEqual({ b: "6 0 6 4", c: "0 4 12 4" });
    expect(positionsOf(withoutPanel([panel("a", 0, 0), panel("c", 0, 4)], "a"))).toEqual({ c: "0 0 6 4" });
  });

  it("never overlap, whatever is moved where", () => {
    const many = Array.from({ length: 12 }, (_, index) => panel(`p${index}`, (index % 3) * 4, Math.floor(index / 3) * 3, 4, 3));
    let moved: readonly Placed[] = many;
    for (let step = 0; step < 200; step++) {
      const place = { x: (step * 7) % 12, y: (step * 5) % 15, w: 1 + ((step * 3) % 12), h: 1 + (step % 6) };
      moved = withPosition(moved, `p${step % 12}`, place);
      const cells = moved.flatMap(({ place: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)}/${y + Math.floor(cell / w)}`),
      );
      expect(new Set(cells).size).toBe(cells.length);
      expect(moved.every(({ place: { x, w } }) => x + w <= 12)).toBe(true);
    }
  });

  it("are read from top to bottom and from left to right", () => {
    expect(readingOrder([panel("c", 0, 4), panel("b", 6, 0), panel("a", 0, 0)]).map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });

  it("change by arrow keys, past the next panel, and their size with Shift", () => {
    const [a, b, c] = board as [Placed, Placed, Placed];
    const after = (moved: Placed, key: string) => {
      const place = positionAfterKey(board, moved, key, false);
      return place && positionsOf(withPosition(board, moved.id, place));
    };
    expect(after(a, "ArrowDown")).toEqual({ a: "0 8 6 4", b: "6 0 6 4", c: "0 4 12 4" });
    expect(after(c, "ArrowUp")).toEqual({ a: "0 4 6 4", b: "6 4 6 4", c: "0 0 12 4" });
    expect(after(b, "ArrowLeft")).toEqual({ a: "0 4 6 4", b: "5 0 6 4", c: "0 8 12 4" });
    expect([after(a, "ArrowUp"), after(c, "ArrowDown"), after(a, "Enter")]).toEqual([null, null, null]);
    expect(positionAfterKey(board, a, "ArrowRight", true)).toEqual({ x: 0, y: 0, w: 7, h: 4 });
    expect(positionAfterKey(board, a, "ArrowUp", true)).toEqual({ x: 0, y: 0, w: 6, h: 3 });
    expect(positionAfterKey(board, a, "Enter", true)).toBeNull();
  });
});
