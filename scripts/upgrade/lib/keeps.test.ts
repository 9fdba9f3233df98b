import { expect, it } from "vitest";
import { losses } from "./keeps.mjs";

it.each([
  ["a missing field", [{ id: "a", title: "A" }], [{ id: "a" }], "the answer[a].title is gone"],
  ["a missing element", [{ id: "a" }, { id: "b" }], [{ id: "a" }], "the answer[b] is gone"],
  ["a different value", { ui: { title: "A" } }, { ui: { title: "B" } }, 'the answer.ui.title was "A" and is "B"'],
  ["a different order of plain values", ["a", "b"], ["b", "a"], 'the answer[0] was "a" and is "b"'],
  ["a missing second element of the same name", [{ id: "a" }, { id: "a", x: 1 }], [{ id: "a", x: 1 }], "the answer[a] is gone"],
  ["an object that became a text", { a: {} }, { a: "b" }, 'the answer.a was {} and is "b"'],
])("reports %s", (_, before, now, sentence) => {
  expect(losses(before, now)[0]).toBe(sentence);
});

it("ignores a different port of a local service", () => {
  expect(losses({ url: "http://127.0.0.1:4000/a" }, { url: "http://127.0.0.1:5000/a" })).toEqual([]);
});

it("ignores additional fields and elements, and times of use", () => {
  const before = [{ id: "b", title: "B", lastUsedMs: 1 }];
  expect(losses(before, [{ id: "a" }, { id: "b", title: "B", lastUsedMs: 2, more: true }])).toEqual([]);
});

it("ignores texts of the demo that were reworded since the release, and no others", () => {
  const before = [{ name: "Natural hazards", description: "What seismometers all over the world felt in one week." }];
  expect(losses(before, [{ name: "Natural hazards", description: "Earthquakes that seismometers recorded." }])).toEqual([]);
  expect(losses(before, [{ name: "Natural hazards" }])).toEqual(["the answer[Natural hazards].description is gone"]);
});
