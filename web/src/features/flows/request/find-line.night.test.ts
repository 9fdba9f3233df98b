import { expect, it } from "vitest";
import { findLine, linedContent } from "./find-line.ts";
import { anchorAt, processor, flow, lineOf } from "#testing/find-lines.ts";

it("a line is found among thousands of equal ones", () => {
  const many = flow(...Array.from({ length: 5_000 }, (_, index) => processor(`P${index}`)));
  const [before, after] = [linedContent(many), linedContent(`\n${many}`)];
  const anchors = Array.from({ length: 200 }, (_, index) => anchorAt(many, lineOf(many.slice(0, 100_000), "yieldDuration", index + 1)));
  for (const anchor of anchors) expect(findLine(anchor, after, before)).toBe(anchor.line + 1);
});

it("a comment never stands in another block than its own, whatever is removed, added, moved or changed", () => {
  const names = ["Fetch", "Split", "Merge", "Convert", "Store", "Log"];
  let state = 7;
  const random = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const before = flow(...names.map((name) => processor(name)));
  const original = linedContent(before);
  const blockOf = (lines: readonly string[], index: number): string | undefined =>
    lines.slice(0, index + 1).findLast((line) => line.includes('"identifier"'));
  const last = before.split("\n").findIndex((line) => line.includes("id-Log")) + 9;
  let found = 0;
  for (let round = 0; round < 200; round += 1) {
    const blocks = names.map((name) => processor(name, { period: random(3) === 0 ? "5 min" : "1 min" }));
    if (random(2) === 0) blocks.splice(random(blocks.length), 1 + random(2));
    if (random(2) === 0) blocks.splice(random(blocks.length + 1), 0, processor("Added"));
    if (random(2) === 0) blocks.splice(random(blocks.length), 0, ...blocks.splice(random(blocks.length), 1));
    const lines = flow(...blocks).split("\n");
    const content = linedContent(lines.join("\n"));
    for (let line = 5; line <= last; line += 1) {
      const place = findLine(anchorAt(before, line), content, original);
      if (place === null) continue;
      // Between two blocks are only brackets.
      if (!/\w/.test(lines[place - 1] ?? "")) continue;
      found += 1;
      expect([round, line, blockOf(lines, place - 1)]).toEqual([round, line, blockOf(before.split("\n"), line - 1)]);
    }
  }
  expect(found).toBeGreaterThan(7_000);
});
