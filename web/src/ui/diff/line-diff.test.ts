import { expect, it } from "vitest";
import { changedParts, collapseUnchanged, lineDiff, wordDiff } from "./line-diff.ts";

const signs = (before: string, after: string) =>
  lineDiff(before, after).map((line) => `${line.before === null ? "+" : line.after === null ? "-" : " "}${line.text}`);

it("lists removed and added lines with their numbers", () => {
  expect(signs("a\nb\nc\nd", "a\nx\nc\nd\ne")).toEqual([" a", "-b", "+x", " c", " d", "+e"]);
  expect(lineDiff("a\nb", "b")).toEqual([
    { before: 1, after: null, text: "a" },
    { before: 2, after: 1, text: "b" },
  ]);
  expect(signs("same", "same")).toEqual([" same"]);
});

it("treats texts that are too long to compare as replaced entirely", () => {
  const lines = (word: string) => Array.from({ length: 2_100 }, (_, at) => `${word}${at}`).join("\n");
  const diff = lineDiff(`first\n${lines("old")}\nlast`, `first\n${lines("new")}\nlast`);
  expect(diff).toHaveLength(4_202);
  expect(diff.at(0)).toEqual({ before: 1, after: 1, text: "first" });
  expect(diff.slice(1, 2_101).every(({ after }) => after === null)).toBe(true);
  expect(diff.at(-1)?.text).toBe("last");
});

it("collapses lines far from any change, and counts them", () => {
  const before = Array.from({ length: 20 }, (_, at) => `line ${at}`);
  const shown = collapseUnchanged(lineDiff(before.join("\n"), before.with(10, "other").join("\n")), 1);
  expect(shown).toEqual([
    { from: 0, skipped: 9 },
    { before: 10, after: 10, text: "line 9" },
    { before: 11, after: null, text: "line 10" },
    { before: null, after: 11, text: "other" },
    { before: 12, after: 12, text: "line 11" },
    { from: 13, skipped: 8 },
  ]);
});

it("finds the differing part of a changed line, but not of a replaced one", () => {
  const changed = (before: string, after: string) =>
    [...changedParts(lineDiff(before, after))].map(([{ text }, [from, to]]) => text.slice(from, to));
  expect(changed('a\n  "size": 12,\nb', 'a\n  "size": 125,\nb')).toEqual(["12", "125"]);
  expect(changed('  "enabled": false', '  "enabled": true')).toEqual(["false", "true"]);
  expect(changed("the old word\nkept", "the new word\nkept")).toEqual(["old", "new"]);
  expect(changed("one\ntwo", "xyz")).toEqual([]);
  expect(changed("entirely", "OTHER")).toEqual([]);
});

it("compares texts by words", () => {
  const words = (before: string, after: string) =>
    wordDiff(before, after).map(({ only, text }) => (only === "after" ? `+${text}` : only === "before" ? `-${text}` : text));
  expect(words("Reported in steps of 5 kt.", "Reported in steps of 5 kt, so averages mislead.")).toEqual([
    "Reported in steps of 5 kt",
    "+, so averages mislead",
    ".",
  ]);
  expect(words("In knots.", "In m/s.")).toEqual(["In ", "-knots", "+m/s", "."]);
  expect(words("", "Größe\nbreit")).toEqual(["+Größe\nbreit"]);
  expect(words("In knots.", "Reported in steps.")).toEqual(["-In knots", "+Reported in steps", "."]);
  expect(words("In knots ", "Gusts ")).toEqual(["-In knots", "+Gusts", " "]);
  expect(words("gone", "")).toEqual(["-gone"]);
});

it("an empty text has no lines", () => {
  expect(lineDiff("", "new")).toEqual([{ before: null, after: 1, text: "new" }]);
  expect(lineDiff("gone", "")).toEqual([{ before: 1, after: null, text: "gone" }]);
  expect(lineDiff("", "")).toEqual([]);
});
