import { describe, expect, it } from "vitest";
import { linesOf, readingBench, valuesOf } from "./reading-bench.ts";
import { sentenceOf, ways } from "#testing/reading-remarks.ts";

const { csv } = readingBench();

describe("values that are read otherwise than they are written", () => {
  it("reports that numbers in parentheses are taken as negative", async () => {
    const read = await csv(linesOf("amount,n", "(12.5),1", "7.25,2", '"(1,234.50)",3'));
    expect(valuesOf(read, "amount")).toEqual([-12.5, 7.25, -1_234.5]);
    expect(read.columns.get("amount")).toMatchObject({ type: "decimal", state: "assumed" });
    expect(sentenceOf(read, "amount")).toContain("Numbers in parentheses are taken as negative: '(1,234.50)' is -1234.5.");
    expect(ways(read, "amount")).toContainEqual(["STRING", null, 0]);
  });

  it("reports that a mark only separates thousands, and why, and offers the other reading", async () => {
    const read = await csv(linesOf("a;b", "1.234;0,5", "2.345;1"));
    expect(valuesOf(read, "a")).toEqual([1_234, 2_345]);
    expect(sentenceOf(read, "a")).toContain(
      "Points only separate thousands, as other values of the file have a decimal comma: '1.234' is 1234.",
    );
    expect(ways(read, "a")).toContainEqual(["decimal", ".", 0]);
    const other = await csv(linesOf("a;b", "1.234;0,5", "2.345;1"), { choices: { columns: { a: { type: "decimal", format: "." } } } });
    expect(valuesOf(other, "a")).toEqual([1.234, 2.345]);
    const own = await csv(linesOf("a,b", '"1,234.5",x', '"2,000",y'));
    expect(sentenceOf(own, "a")).toContain("Commas only separate thousands: '");
    const spaced = await csv(linesOf("a,b", "1 234,x", "2 345,y"));
    expect(sentenceOf(spaced, "a")).toContain("Spaces only separate thousands: '1 234' is 1234.");
    const open = await csv(linesOf("a,b", '"1,234",x', '"2,345",y'));
    expect(sentenceOf(open, "a")).toContain("The point is taken as the decimal mark, though no value shows which one is: '1,234' is 1234.");
  });

  it("reports the unit that all values carry", async () => {
    expect(sentenceOf(await csv(linesOf("x,n", "12 %,1", "7 %,2")), "x")).toBe(
      "Whole numbers. All carry %, which is kept as the unit: '7 %' is 7.",
    );
  });
});

describe("ways that are offered", () => {
  it("offers times that most values are, and says how many are none", async () => {
    const texts = ["2024-01-02", "2024-01-03", "2024-01-04", "2024-01-05", "2024-02-31", "soon", "later"];
    const content = linesOf("when,n", ...texts.map((text, index) => `${text},${index}`));
    const read = await csv(content);
    expect(read.columns.get("when")).toMatchObject({ type: "STRING" });
    expect(ways(read, "when")).toEqual([["TIMESTAMP_SECONDS", "ISO", 3]]);
    const chosen = await csv(content, { choices: { columns: { when: { type: "TIMESTAMP_SECONDS", format: "ISO" } } } });
    expect(chosen.columns.get("when")?.unreadable.count).toBe(3);
    expect(valuesOf(chosen, "when").filter((value) => value !== null)).toHaveLength(4);
  });

  it("counts no word for a missing value as lost", async () => {
    const read = await csv(linesOf("x,n", "yes,1", "no,2", "n/a,3", "perhaps,4"));
    expect(ways(read, "x")).toEqual([["BOOLEAN", "yes/no", 1]]);
  });
});
