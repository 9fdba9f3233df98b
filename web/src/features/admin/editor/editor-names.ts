import { jsonLanguage } from "@codemirror/lang-json";
import type { Path } from "./editor-schema.ts";

type Node = ReturnType<typeof jsonLanguage.parser.parse>["topNode"];

// Bounds the recursion; stored entities are far shallower.
const maxDepth = 200;

/** The path of the first duplicate field name. JSON.parse would silently drop one of the two. `text` must be valid JSON. */
export function findDuplicateName(text: string): Path | undefined {
  return findInside(text, jsonLanguage.parser.parse(text).topNode, []);
}

function findInside(text: string, node: Node, path: Path): Path | undefined {
  if (path.length > maxDepth) return undefined;
  const names = new Set<string>();
  let index = 0;
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.name === "Property") {
      const { firstChild, lastChild } = child;
      const name = firstChild ? (JSON.parse(text.slice(firstChild.from, firstChild.to)) as string) : "";
      if (names.has(name)) return [...path, name];
      names.add(name);
      const found = lastChild && findInside(text, lastChild, [...path, name]);
      if (found) return found;
    } else if (child.name === "Object" || child.name === "Array") {
      const found = findInside(text, child, node.name === "Array" ? [...path, index] : path);
      if (found) return found;
    }
    if (!"[],".includes(child.name)) index++;
  }
  return undefined;
}
