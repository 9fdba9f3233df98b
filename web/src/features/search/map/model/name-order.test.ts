import { describe, expect, it } from "vitest";
import { sortedByName } from "./name-order.ts";

const named = (...names: string[]) => names.map((name, index) => ({ name, id: `id-${index}` }));
const collator = new Intl.Collator("en-US", { numeric: true, sensitivity: "base" });

describe("sortedByName", () => {
  it("compares numbers by value and ignores case and leading zeros", () => {
    const sorted = sortedByName(named("Item 10", "item 9", "ITEM 007", "Item", "10", "9a", "item-2"));
    expect(sorted.map(({ name }) => name)).toEqual(["9a", "10", "Item", "ITEM 007", "item 9", "Item 10", "item-2"]);
  });

  it("orders items of the same name by id", () => {
    expect(sortedByName(named("a", "A", "a").toReversed()).map(({ id }) => id)).toEqual(["id-0", "id-1", "id-2"]);
  });

  it("matches a collator for all kinds of characters and names beyond ASCII", () => {
    const alphabet = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcXYZ";
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const names = Array.from({ length: 3_000 }, () =>
      Array.from({ length: 1 + random(6) }, () => alphabet.charAt(random(alphabet.length))).join(""),
    );
    for (const all of [named(...names), named(...names, "Ångström", "日本", "éa", "zz")]) {
      const expected = all.toSorted((one, other) => collator.compare(one.name, other.name) || collator.compare(one.id, other.id));
      expect(sortedByName(all).map(({ name }) => name)).toEqual(expected.map(({ name }) => name));
    }
  });
});
