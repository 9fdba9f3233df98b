import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSame, mergeThreeWay } from "./three-way.ts";

const column = (name: string, description = "") => ({ name, description });

describe("mergeThreeWay", () => {
  it.each([
    {
      title: "merges changes of different fields",
      base: { a: 1, b: 1 },
      mine: { a: 2, b: 1 },
      theirs: { a: 1, b: 2 },
      value: { a: 2, b: 2 },
    },
    {
      title: "merges changes of different nested fields",
      base: { source: { glob: "x", format: "csv" } },
      mine: { source: { glob: "y", format: "csv" } },
      theirs: { source: { glob: "x", format: "json" } },
      value: { source: { glob: "y", format: "json" } },
    },
    {
      title: "merges changes of different named items",
      base: { columns: [column("a"), column("b")] },
      mine: { columns: [column("a", "mine"), column("b")] },
      theirs: { columns: [column("a"), column("b", "theirs")] },
      value: { columns: [column("a", "mine"), column("b", "theirs")] },
    },
    { title: "accepts equal changes", base: { a: 1 }, mine: { a: 2 }, theirs: { a: 2 }, value: { a: 2 } },
    { title: "merges added and removed fields", base: { a: 1 }, mine: {}, theirs: { a: 1, b: 2 }, value: { b: 2 } },
    {
      title: "reports a collision in one field",
      base: { a: 1, b: 1 },
      mine: { a: 2, b: 1 },
      theirs: { a: 3, b: 2 },
      value: { a: 2, b: 2 },
      at: [["a"]],
    },
    {
      title: "reports a collision of lists without names",
      base: { roles: [] },
      mine: { roles: ["mine"] },
      theirs: { roles: ["theirs"] },
      value: { roles: ["mine"] },
      at: [["roles"]],
    },
    {
      title: "reports a collision of lists whose items moved",
      base: { columns: [column("a"), column("b")] },
      mine: { columns: [column("b"), column("a")] },
      theirs: { columns: [column("a"), column("b", "theirs")] },
      value: { columns: [column("b"), column("a")] },
      at: [["columns"]],
    },
    {
      title: "reports a collision when one side removes what the other changes",
      base: { a: 1 },
      mine: {},
      theirs: { a: 2 },
      value: {},
      at: [["a"]],
    },
  ])("$title", ({ base, mine, theirs, value, at = [] }) => {
    expect(mergeThreeWay(base, mine, theirs)).toEqual({ value, collisions: at });
  });

  it("takes the other side's changes when one side changed nothing", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()), (base, changed) => {
        expect(mergeThreeWay(base, base, changed)).toEqual({ value: changed, collisions: [] });
        expect(mergeThreeWay(base, changed, base)).toEqual({ value: changed, collisions: [] });
        expect(mergeThreeWay(base, changed, changed).collisions).toEqual([]);
        expect(isSame(changed, structuredClone(changed))).toBe(true);
      }),
    );
  });
});
