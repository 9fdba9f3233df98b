import { expect, it } from "vitest";
import { renamed, typedText, valueOfTyped, visibleNodes, withAdded, without, withValue } from "./tree-value.ts";

const whole = { name: "a", list: [1, { deep: null }], empty: {} };

it("changes, removes, renames and adds in place, and leaves the rest as it was", () => {
  expect(withValue(whole, ["list", 1, "deep"], 5)).toEqual({ name: "a", list: [1, { deep: 5 }], empty: {} });
  expect(without(whole, ["list", 0])).toEqual({ name: "a", list: [{ deep: null }], empty: {} });
  expect(Object.keys(renamed(whole, ["name"], "title") as object)).toEqual(["title", "list", "empty"]);
  expect(renamed(whole, ["name"], "list")).toEqual(whole);
  expect(withAdded(whole, ["list"])).toEqual({ whole: { ...whole, list: [1, { deep: null }, { deep: null }] }, added: ["list", 2] });
  expect(withAdded({ name: 1 }, [])).toEqual({ whole: { name: 1, name2: "" }, added: ["name2"] });
  expect(whole).toEqual({ name: "a", list: [1, { deep: null }], empty: {} });
});

it.each(["plain", "5", "true", "null", '"quoted"', "", "{}", "two words"])("a text %j typed back is the same text", (text) => {
  expect(valueOfTyped(typedText(text))).toBe(text);
});

it("what is open shows its inside, each with its place", () => {
  const nodes = visibleNodes(whole, new Set(["[]", '["list"]']));
  expect(nodes.map(({ path }) => path.join("/"))).toEqual(["", "name", "list", "list/0", "list/1", "empty"]);
  expect(nodes.find(({ step }) => step === "list")).toMatchObject({ children: 2, isOpen: true, position: 2, siblings: 3, depth: 1 });
});
