import { jsonLanguage } from "@codemirror/lang-json";
import type { Path } from "./editor-schema.ts";

type Node = ReturnType<typeof jsonLanguage.parser.parse>["topNode"];

// Nothing that is kept goes nearly as deep.
const deepest = 200;

/** The first field that its object has already: JSON allows it, and would lose one of the two without a word. `text` is JSON. */
export function namedTwice(text: string): Path | undefined {
  return inside(text, jsonLanguage.parser.parse(text).topNode, []);
}

function inside(text: string, node: Node, path: Path): Path | undefined {
  if (path.length > deepest) return undefined;
  const names = new Set<string>();
  let place = 0;
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.name === "Property") {
      const { firstChild, lastChild } = child;
      const name = firstChild ? (JSON.parse(text.slice(firstChild.from, firstChild.to)) as string) : "";
      if (names.has(name)) return [...path, name];
      names.add(name);
      const found = lastChild && inside(text, lastChild, [...path, name]);
      if (found) return found;
    } else if (child.name === "Object" || child.name === "Array") {
      const found = inside(text, child, node.name === "Array" ? [...path, place] : path);
      if (found) return found;
    }
    if (!"[],".includes(child.name)) place++;
  }
  return undefined;
}
