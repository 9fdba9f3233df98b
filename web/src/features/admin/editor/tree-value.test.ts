import { expect, it } from "vitest";
import { withRenamedField, typedText, parseTyped, visibleNodes, withAdded, withoutPath, withValue } from "./tree-value.ts";

const root = { name: "a", list: [1, { deep: null }], empty: {} };

it("changes, removes, renames and adds at a path without mutating the value", () => {
  expect(withValue(root, ["list", 1, "deep"], 5)).toEqual({ name: "a", list: [1, { deep: 5 }], empty: {} });
  expect(withoutPath(root, ["list", 0])).toEqual({ name: "a", list: [{ deep: null }], empty: {} });
  expect(Object.keys(withRenamedField(root, ["name"], "title") as object)).toEqual(["title", "list", "empty"]);
  expect(withRenamedField(root, ["name"], "list")).toEqual(root);
  expect(withAdded(root, ["list"])).toEqual({ root: { ...root, list: [1, { deep: null }, { deep: null }] }, added: ["list", 2] });
  expect(withAdded({ name: 1 }, [])).toEqual({ root: { name: 1, name2: "" }, added: ["name2"] });
  expect(root).toEqual({ name: "a", list: [1, { deep: null }], empty: {} });
});

it.each(["plain", "5", "true", "null", '"quoted"', "", "{}", "two words"])("the string %j survives being typed back", (text) => {
  expect(parseTyped(typedText(text))).toBe(text);
});

it("lists the children of open nodes with their positions", () => {
  const nodes = visibleNodes(root, new Set(["[]", '["list"]']));
  expect(nodes.map(({ path }) => path.join("/"))).toEqual(["", "name", "list", "list/0", "list/1", "empty"]);
  expect(nodes.find(({ step }) => step === "list")).toMatchObject({ children: 2, isOpen: true, position: 2, siblings: 3, depth: 1 });
});
