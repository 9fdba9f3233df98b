import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSame, mergeThreeWay } from "./three-way.ts";

const column = (name: string, description = "") => ({ name, description });

describe("two changes of one state", () => {
  it.each([
    {
      what: "of different fields are joined",
      base: { a: 1, b: 1 },
      mine: { a: 2, b: 1 },
      theirs: { a: 1, b: 2 },
      value: { a: 2, b: 2 },
    },
    {
      what: "of different fields of one field are joined",
      base: { source: { glob: "x", format: "csv" } },
      mine: { source: { glob: "y", format: "csv" } },
      theirs: { source: { glob: "x", format: "json" } },
      value: { source: { glob: "y", format: "json" } },
    },
    {
      what: "of different named items are joined",
      base: { columns: [column("a"), column("b")] },
      mine: { columns: [column("a", "mine"), column("b")] },
      theirs: { columns: [column("a"), column("b", "theirs")] },
      value: { columns: [column("a", "mine"), column("b", "theirs")] },
    },
    { what: "that are the same are one", base: { a: 1 }, mine: { a: 2 }, theirs: { a: 2 }, value: { a: 2 } },
    { what: "that add and remove fields are joined", base: { a: 1 }, mine: {}, theirs: { a: 1, b: 2 }, value: { b: 2 } },
    {
      what: "collide in one field",
      base: { a: 1, b: 1 },
      mine: { a: 2, b: 1 },
      theirs: { a: 3, b: 2 },
      value: { a: 2, b: 2 },
      at: [["a"]],
    },
    {
      what: "of one list without names collide",
      base: { roles: [] },
      mine: { roles: ["mine"] },
      theirs: { roles: ["theirs"] },
      value: { roles: ["mine"] },
      at: [["roles"]],
    },
    {
      what: "of lists whose items moved collide",
      base: { columns: [column("a"), column("b")] },
      mine: { columns: [column("b"), column("a")] },
      theirs: { columns: [column("a"), column("b", "theirs")] },
      value: { columns: [column("b"), column("a")] },
      at: [["columns"]],
    },
    { what: "collide where one removes what the other changes", base: { a: 1 }, mine: {}, theirs: { a: 2 }, value: {}, at: [["a"]] },
  ])("$what", ({ base, mine, theirs, value, at = [] }) => {
    expect(mergeThreeWay(base, mine, theirs)).toEqual({ value, collisions: at });
  });

  it("whoever changed nothing gets what the other made of it, without a question", () => {
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
