import { expect, it } from "vitest";
import { thinned } from "./thumbnails.ts";

const located = (count: number) => ({ positions: Array.from({ length: count }, (_, index): [number, number] => [index, index]) });

it("shares positions evenly between the pictures that have any, and takes them from everywhere", () => {
  const [large, small, none] = thinned([located(10), located(2), located(0)], 8);
  expect(large?.positions.map(([lat]) => lat)).toEqual([0, 3, 5, 8]);
  expect(small?.positions).toHaveLength(2);
  expect(none?.positions).toEqual([]);
  expect(thinned([located(10)], 10)[0]?.positions).toHaveLength(10);
});
