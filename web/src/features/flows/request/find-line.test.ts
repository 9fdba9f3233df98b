import { describe, expect, it } from "vitest";
import { findLine, linedContent } from "./find-line.ts";
import { anchorAt, processor, flow, lineOf, one } from "#testing/find-lines.ts";

/** Line in `after` of a comment on a line of `before`: with the whole content before, and with the stored lines only. */
const positions = (before: string, line: number, after: string): [known: number | null, stored: number | null] => {
  const anchor = anchorAt(before, line);
  return [findLine(anchor, linedContent(after), linedContent(before)), findLine(anchor, linedContent(after))];
};
const three = flow(processor("Fetch"), processor("Split"), processor("Store"));

describe("a comment stays at its line", () => {
  it("in the same content, for every line", () => {
    for (let line = 1; line <= three.split("\n").length; line += 1) expect(positions(three, line, three)[0]).toBe(line);
  });

  it("if lines are added or removed above", () => {
    const line = lineOf(one, "schedulingPeriod");
    expect(positions(one, line, `\n\n\n${one}`)).toEqual([line + 3, line + 3]);
    expect(positions(`\n\n\n${one}`, line + 3, one)).toEqual([line, line]);
  });

  it("if lines next to it are added, changed or removed", () => {
    const line = lineOf(one, '"Retries"');
    const added = one.replace('"Retries"', '"Backoff": "2 secs",\n          "Retries"');
    expect(positions(one, line, added)).toEqual([line + 1, line + 1]);
    const changed = one.replace("15 secs", "60 secs").replace("        },", "        }  ,");
    expect(positions(one, line, changed)).toEqual([line, line]);
    const removed = one.replace('          "Read Timeout": "15 secs",\n', "");
    expect(positions(one, line, removed)).toEqual([line - 1, line - 1]);
  });

  it("if only its indentation or its comma changes", () => {
    const line = lineOf(one, '"Retries"');
    expect(positions(one, line, one.replaceAll("  ", "\t"))).toEqual([line, line]);
    expect(positions(one, line, flow(processor("Fetch", { more: ',\n          "Backoff": "2 secs"' })))).toEqual([line, line]);
    expect(positions(one, line, one.replaceAll("\n", "\r\n"))).toEqual([line, line]);
  });

  it("if its block moves", () => {
    const moved = flow(processor("Split"), processor("Store"), processor("Fetch"));
    expect(positions(three, lineOf(three, '"name": "Fetch"'), moved)).toEqual([
      lineOf(moved, '"name": "Fetch"'),
      lineOf(moved, '"name": "Fetch"'),
    ]);
    expect(positions(three, lineOf(three, "schedulingPeriod"), moved)[0]).toBe(lineOf(moved, "schedulingPeriod", 3));
  });

  it("among blocks that repeat each other, if the whole content before is known", () => {
    const more = flow(processor("New"), processor("Fetch"), processor("Split"), processor("Store"));
    for (const [nth, name] of ["Fetch", "Split", "Store"].entries()) {
      const line = lineOf(three, "penaltyDuration", nth + 1);
      expect([name, positions(three, line, more)[0]]).toEqual([name, lineOf(more, "penaltyDuration", nth + 2)]);
    }
  });

  it("if many blocks that repeat its own are added above", () => {
    const more = flow(...Array.from({ length: 200 }, (_, index) => processor(`New ${index}`)), processor("Fetch"), processor("Split"));
    const line = lineOf(three, "penaltyDuration", 2);
    expect(positions(three, line, more)[0]).toBe(lineOf(more, "penaltyDuration", 202));
  });

  it("if the line above it changes and a block that repeats its own does not", () => {
    const changed = flow(processor("Fetch"), processor("Split").replace("30 sec", "45 sec"), processor("Store"));
    const line = lineOf(three, "schedulingPeriod", 2);
    expect(positions(three, line, changed)[0]).toBe(line);
  });

  it("in a content of a single line, and at the first and the last line", () => {
    expect(positions("storm", 1, "storm")).toEqual([1, 1]);
    expect(positions(one, 1, `${one}\n`)).toEqual([1, 1]);
    const last = one.split("\n").length;
    expect(positions(one, last, `${one}\n`)).toEqual([last, last]);
  });

  it("with lines that are longer than what is stored of them", () => {
    const long = one.replace("15 secs", "s".repeat(1_000));
    const line = lineOf(long, "Read Timeout");
    expect(positions(long, line, `\n${long}`)).toEqual([line + 1, line + 1]);
  });

  it("with the line numbers of formatted JSON, if the content is minified", () => {
    const minified = JSON.stringify({
      processors: Array.from({ length: 100 }, (_, index) => ({ name: `Processor ${index}`, period: "1 min" })),
    });
    const content = linedContent(minified);
    const line = content.keys.indexOf('"name": "Processor 50"') + 1;
    const anchor = { ...anchorAt(content.keys.join("\n"), line) };
    expect(line).toBeGreaterThan(100);
    expect(findLine(anchor, content)).toBe(line);
  });
});

describe("a comment is outdated", () => {
  it("if its line was changed", () => {
    expect(positions(one, lineOf(one, "Read Timeout"), one.replace("15 secs", "60 secs"))).toEqual([null, null]);
  });

  it("if its line was removed, also one that is everywhere", () => {
    expect(positions(one, lineOf(one, "Read Timeout"), one.replace('          "Read Timeout": "15 secs",\n', ""))).toEqual([null, null]);
    const bracket = lineOf(one, "        },");
    expect(positions(one, bracket, "{\n}\n{\n},\n}")).toEqual([null, null]);
  });

  it("if its block was removed and one that repeats it is still there", () => {
    const removed = flow(processor("Fetch"), processor("Store"));
    expect(positions(three, lineOf(three, "penaltyDuration", 2), removed)[0]).toBeNull();
  });

  it("if its block was removed and one that repeats it is still there, also without indentation", () => {
    const block = (name: string) => `name: ${name}\ntype: ftp\ntimeout: 5\nretries: 3\n---`;
    const before = ["A", "B", "C"].map(block).join("\n");
    expect(positions(before, 8, [block("A"), block("C")].join("\n"))[0]).toBeNull();
    expect(positions(before, 13, [block("A"), block("C")].join("\n"))[0]).toBe(8);
  });

  it("if it was changed and a new block has the same line", () => {
    const changed = flow(processor("Added"), processor("Fetch", { period: "5 min" }), processor("Split"), processor("Store"));
    expect(positions(three, lineOf(three, "schedulingPeriod"), changed)[0]).toBeNull();
  });

  it("if it cannot be distinguished from others by the stored lines, unless it is at the same line", () => {
    const shifted = flow(processor("New"), processor("Fetch"), processor("Split"), processor("Store"), "\n");
    const line = lineOf(three, "penaltyDuration", 2);
    expect(positions(three, line, `\n${three}`)[1]).toBeNull();
    expect(positions(three, line, shifted)[1]).toBe(line);
  });

  it("if only its text occurs elsewhere", () => {
    const other = `<template>\n  <note>\n          "Retries": "3"\n  </note>\n</template>`;
    expect(positions(one, lineOf(one, '"Retries"'), other)).toEqual([null, null]);
  });
});
