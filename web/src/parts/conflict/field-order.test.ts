import { expect, it } from "vitest";
import { withFieldOrder } from "./field-order.ts";

it("orders the fields of a value like those of another", () => {
  const model = { a: 1, b: { x: 1, y: [{ p: 1, q: 2 }] }, c: 3 };
  const value = {
    z: 0,
    c: 4,
    b: {
      y: [
        { q: 5, p: 6 },
        { q: 7, p: 8 },
      ],
      x: 2,
    },
    a: 9,
  };
  expect(JSON.stringify(withFieldOrder(model, value))).toBe('{"a":9,"b":{"x":2,"y":[{"p":6,"q":5},{"q":7,"p":8}]},"c":4,"z":0}');
  expect(withFieldOrder(model, [1])).toEqual([1]);
});
