import { expect, it } from "vitest";
import { losses } from "./keeps.mjs";

it.each([
  ["a field that is gone", [{ id: "a", title: "A" }], [{ id: "a" }], "the answer[a].title is gone"],
  ["an element that is gone", [{ id: "a" }, { id: "b" }], [{ id: "a" }], "the answer[b] is gone"],
  ["another value", { ui: { title: "A" } }, { ui: { title: "B" } }, 'the answer.ui.title was "A" and is "B"'],
  ["another order of plain values", ["a", "b"], ["b", "a"], 'the answer[0] was "a" and is "b"'],
  ["a second one of a name", [{ id: "a" }, { id: "a", x: 1 }], [{ id: "a", x: 1 }], "the answer[a] is gone"],
  ["an object that became a text", { a: {} }, { a: "b" }, 'the answer.a was {} and is "b"'],
])("tells of %s", (_, before, now, sentence) => {
  expect(losses(before, now)[0]).toBe(sentence);
});

it("another port of a service on this machine is no loss", () => {
  expect(losses({ url: "http://127.0.0.1:4000/a" }, { url: "http://127.0.0.1:5000/a" })).toEqual([]);
});

it("more fields, more elements and times of use are no loss", () => {
  const before = [{ id: "b", title: "B", lastUsedMs: 1 }];
  expect(losses(before, [{ id: "a" }, { id: "b", title: "B", lastUsedMs: 2, more: true }])).toEqual([]);
});
