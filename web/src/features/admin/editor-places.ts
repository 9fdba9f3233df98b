import { ensureSyntaxTree, type syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { Path } from "./editor-schema.ts";

export type SyntaxNode = ReturnType<ReturnType<typeof syntaxTree>["resolveInner"]>;

const values = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"]);

export interface Place {
  from: number;
  to: number;
}

const nameOf = (state: EditorState, property: SyntaxNode): string | undefined => {
  const name = property.getChild("PropertyName");
  if (!name) return undefined;
  try {
    return JSON.parse(state.sliceDoc(name.from, name.to)) as string;
  } catch {
    // Still being typed.
    return undefined;
  }
};

const valueOf = (node: SyntaxNode): SyntaxNode | null => {
  for (let child = node.lastChild; child; child = child.prevSibling) if (values.has(child.name)) return child;
  return null;
};

const valuesIn = (array: SyntaxNode): SyntaxNode[] => {
  const found: SyntaxNode[] = [];
  for (let child = array.firstChild; child; child = child.nextSibling) if (values.has(child.name)) found.push(child);
  return found;
};

/** Where the value of a path stands in the text; where it is missing, the thing that lacks it. */
export function placeOf(state: EditorState, path: Path): Place {
  const tree = ensureSyntaxTree(state, state.doc.length, 500);
  let node = tree && valueOf(tree.topNode);
  let place: Place = node ? { from: node.from, to: Math.min(node.to, node.from + 1) } : { from: 0, to: 0 };
  for (const step of path) {
    if (!node) break;
    if (typeof step === "number" || (node.name === "Array" && /^\d+$/.test(step))) {
      node = valuesIn(node)[Number(step)] ?? null;
    } else {
      const property: SyntaxNode | undefined = node.getChildren("Property").find((one) => nameOf(state, one) === step);
      node = property ? valueOf(property) : null;
    }
    if (node) {
      const isShort = node.name !== "Object" && node.name !== "Array";
      place = { from: node.from, to: isShort ? node.to : node.from + 1 };
    }
  }
  return place;
}

/** The path of the value that a node is, or stands in. */
export function pathOf(state: EditorState, node: SyntaxNode): Path {
  const path: (string | number)[] = [];
  for (let at: SyntaxNode | null = node; at; at = at.parent) {
    if (at.name === "Property") path.unshift(nameOf(state, at) ?? "");
    else if (at.parent?.name === "Array" && values.has(at.name)) {
      const { from } = at;
      path.unshift(valuesIn(at.parent).findIndex((one) => one.from === from));
    }
  }
  return path;
}
