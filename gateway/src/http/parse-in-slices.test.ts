import { describe, expect, it, onTestFinished, vi } from "vitest";
import { parseInSlices } from "./parse-in-slices.ts";

const rows = Array.from({ length: 1_500 }, (_, row) => ({
  [`na"me ${row}`]: `té}xt],"[{ ${row} \\`,
  list: [row, [], {}, "a,b"],
  number: -1.5e-7 * (row + 1),
  nothing: null,
}));
const wide = Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`key ${index}`, { index }]));

describe("large JSON", () => {
  it.each([
    ["a list", rows],
    ["an object with a list", { truncated: true, results: rows, "after it": [] }],
    ["an object with empty lists", { none: [], wide, empty: {} }],
    ["an object of many members", wide],
    ["a list of lists", [rows.map(({ list }) => list), [], rows]],
    ["a long text", "x".repeat(200_000)],
  ])("%s is parsed as JSON.parse does, compact and indented", async (_, value) => {
    expect(await parseInSlices(Buffer.from(JSON.stringify(value)))).toEqual(value);
    expect(await parseInSlices(Buffer.from(`\n ${JSON.stringify(value, null, 2)} `))).toEqual(value);
  });

  it("lets other work go on in between", async () => {
    // Every look at the clock ends a slice, however fast the machine is.
    let nowMs = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 1_000));
    onTestFinished(() => clock.mockRestore());
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const list = Array.from({ length: 200 }, () => rows.slice(0, 100)).flat();
    const parsed = await parseInSlices(Buffer.from(JSON.stringify(list)));
    isDone = true;
    expect(parsed).toHaveLength(20_000);
    expect(turns).toBeGreaterThan(10);
  });
});
