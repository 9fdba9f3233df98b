import { expect, it } from "vitest";
import { BlockKind, isInAfter, isInBefore } from "./blocks.ts";
import { type ComparisonRequest, compareTexts } from "./compare-texts.ts";
import { lineStarts, lineText } from "./line-starts.ts";

const plain = { ignoresSpace: false, ignoresPositions: false, formatsJson: true };
const signs = { same: " ", changed: "~", removed: "-", added: "+", ignoredBefore: "<", ignoredAfter: ">" };
const signOf = (kind: number | undefined) =>
  Object.entries(signs).find(([name]) => BlockKind[name as keyof typeof BlockKind] === kind)?.[1];

/** The lines of a comparison, each with the sign of its block. */
function compared(before: string, after: string, options: Partial<ComparisonRequest> = {}): string[] {
  const result = compareTexts({ ...plain, ...options, before, after });
  const old = { text: result.before.formatted ?? before, starts: result.before.starts };
  const current = { text: result.after.formatted ?? after, starts: result.after.starts };
  const lines: string[] = [];
  let [oldAt, at] = [0, 0];
  for (let index = 0; index < result.blocks.length; index += 2) {
    const kind = result.blocks[index] ?? 0;
    for (let rest = result.blocks[index + 1] ?? 0; rest > 0; rest -= 1) {
      const [one, other] = [isInBefore(kind) ? lineText(old, oldAt++) : null, isInAfter(kind) ? lineText(current, at++) : null];
      lines.push(
        `${signOf(kind)}${one === null || one === other ? other : other === null || kind === BlockKind.same ? one : `${one} → ${other}`}`,
      );
    }
  }
  expect([oldAt, at]).toEqual([result.before.starts.length - 1, result.after.starts.length - 1]);
  return lines;
}

it("lists kept, changed, removed and added lines", () => {
  expect(compared("a\nb\nc\nd\n", "a\nc\nd\ne\n")).toEqual([" a", "-b", " c", " d", "+e"]);
  expect(compared("", "new\n")).toEqual(["+new"]);
  expect(compared("gone", "")).toEqual(["-gone"]);
  expect(compared("", "")).toEqual([]);
  expect(compared("same\nlines", "same\nlines")).toEqual([" same", " lines"]);
});

it("puts lines with the same name or much in common opposite each other", () => {
  expect(
    compared(
      ['"Read Timeout": "15 secs",', '"Records": "500"'].join("\n"),
      ['"Retry Count": "3",', '"Read Timeout": "60 secs",', '"Records": "2000",', '"Writer": "parquet"'].join("\n"),
    ),
  ).toEqual([
    '+"Retry Count": "3",',
    '~"Read Timeout": "15 secs", → "Read Timeout": "60 secs",',
    '~"Records": "500" → "Records": "2000",',
    '+"Writer": "parquet"',
  ]);
});

it("counts a line break at the end and carriage returns as differences", () => {
  expect(compared("a\nb", "a\nb\n")).toEqual([" a", "~b"]);
  expect(compared("a\r\nb\n", "a\nb\n")).toEqual(["~a", " b"]);
});

it("ignores white space and blank lines on request", () => {
  expect(compared('{ "a" : 1 }\nb\r\n', '\n{"a":1}\n\tb', { ignoresSpace: true })).toEqual([">", ' { "a" : 1 }', " b"]);
  expect(compared("a b", "a c", { ignoresSpace: true })).toEqual(["~a b → a c"]);
});

const flow = (x: number, bends: string, name = "Log") =>
  JSON.stringify({ name, position: { x, y: 2.5 }, properties: { x: "1", position: "top" }, bends: JSON.parse(bends), zIndex: 0 }, null, 2);

it("ignores where NiFi draws components and connections on request, and nothing else", () => {
  const moved = compared(flow(1, "[]"), flow(-3e2, '[{"x":1,"y":2}]'), { ignoresPositions: true });
  expect(moved.filter((line) => !line.startsWith(" ") && !line.startsWith(">"))).toEqual([]);
  expect(compared(flow(1, "[]"), flow(2, "[]", "Put"), { ignoresPositions: true }).filter((line) => !line.startsWith(" "))).toEqual([
    '~  "name": "Log", → "name": "Put",'.replace("→ ", "→   "),
  ]);
  expect(compared(flow(1, "[]"), flow(2, "[]")).filter((line) => line.startsWith("~"))).toHaveLength(1);
  const property = (value: string) => `{\n"properties": {\n"x": "${value}",\n"position": "${value}"\n}\n}`;
  expect(compared(property("1"), property("2"), { ignoresPositions: true }).filter((line) => line.startsWith("~"))).toHaveLength(2);
});

it("ignores positions of templates, also within longer lines", () => {
  const template = (x: number, name: string) => `<template><position><x>${x}</x><y>0</y></position><name>${name}</name></template>`;
  expect(compared(template(1, "a"), template(2, "a"), { ignoresPositions: true })).toEqual([` ${template(1, "a")}`]);
  expect(compared(template(1, "a"), template(2, "b"), { ignoresPositions: true })).toHaveLength(1);
  expect(compared(template(1, "a"), template(2, "b"), { ignoresPositions: true })[0]).toMatch(/^~/);
  expect(compared("<position>unclosed 1", "<position>unclosed 2", { ignoresPositions: true })).toEqual([
    "~<position>unclosed 1 → <position>unclosed 2",
  ]);
});

it("shows ignored lines within added ones as added", () => {
  const component = (name: string, x: number) => `{\n"name": "${name}",\n"position": {\n"x": ${x},\n"y": 0\n},\n"kind": "${name}"\n}`;
  expect(
    compared(component("a", 1), `${component("a", 9)}\n${component("b", 2)}`, { ignoresPositions: true }).filter((line) =>
      line.startsWith(">"),
    ),
  ).toEqual([]);
});

it("formats minified JSON on both sides, and finds the lines of the formatted text in the text as it is", () => {
  const minified = (value: number) => JSON.stringify({ list: [1, value], text: "x ".repeat(2_000) });
  expect(compared(minified(2), minified(3)).filter((line) => !line.startsWith(" "))).toEqual(["~    2 →     3"]);
  const raw = compareTexts({ ...plain, before: null, after: `${minified(1).replace(",1],", ",\n1],")}\n`, formatsJson: false });
  expect(raw.after.formatted).toBeNull();
  expect([...(raw.after.shownLines ?? [])]).toEqual([0, 0, 0, 1, 1, 1, 1]);
  expect(raw.after.isMinified).toBe(true);
});

it("distinguishes lines that differ in a surrogate without counterpart, or in letters of other scripts", () => {
  expect(compared("a\n\ud800\nb", "a\n\ud801\nb")).toEqual([" a", "~\ud800 → \ud801", " b"]);
  expect(compared("Zürich\n東京\n😀 x\n", "Zürich\n東亰\n😀 x\nb")).toEqual([" Zürich", "~東京 → 東亰", " 😀 x", "+b"]);
});

it("lists one text as lines", () => {
  expect([...compareTexts({ ...plain, before: null, after: "a\nb" }).blocks]).toEqual([BlockKind.added, 2]);
});

/** Numbers from 0 to 1 in a sequence that only depends on the seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

it("always leads from one text to the other", () => {
  for (let seed = 1; seed <= 2_000; seed += 1) {
    const random = randomNumbers(seed);
    const pick = () => `${Math.floor(random() * (seed % 2 === 0 ? 4 : 30))}${random() < 0.1 ? "\r" : ""}`;
    const before = Array.from({ length: Math.floor(random() * 30) }, pick);
    const after = before.flatMap((line) => (random() < 0.2 ? [] : random() < 0.2 ? [line, pick()] : [line]));
    if (random() < 0.3) after.reverse();
    const texts = { before: before.join("\n"), after: after.join("\n") };
    const { blocks } = compareTexts({ ...plain, ...texts, ignoresSpace: seed % 5 === 0 });
    let [oldAt, at] = [0, 0];
    const [old, current] = [texts.before, texts.after].map((text) => ({ text, starts: lineStarts(text) }));
    if (!old || !current) throw new Error("Two texts have two sides.");
    for (let index = 0; index < blocks.length; index += 2) {
      const [kind = 0, count = 0] = blocks.subarray(index, index + 2);
      if (kind === BlockKind.same && seed % 5 !== 0)
        for (let line = 0; line < count; line += 1)
          if (lineText(old, oldAt + line) !== lineText(current, at + line)) throw new Error(`Line ${at + line} of seed ${seed} differs.`);
      if (isInBefore(kind)) oldAt += count;
      if (isInAfter(kind)) at += count;
    }
    expect([oldAt, at], `seed ${seed}`).toEqual([old.starts.length - 1, current.starts.length - 1]);
  }
});
