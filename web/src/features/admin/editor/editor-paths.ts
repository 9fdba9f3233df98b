import { ensureSyntaxTree, type syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { Path } from "./editor-schema.ts";

export type SyntaxNode = ReturnType<ReturnType<typeof syntaxTree>["resolveInner"]>;

const values = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"]);

export interface TextRange {
  from: number;
  to: number;
}

const nameOf = (state: EditorState, property: SyntaxNode): string | undefined => {
  const name = property.getChild("PropertyName");
  if (!name) return undefined;
  try {
    return JSON.parse(state.sliceDoc(name.from, name.to)) as string;
  } catch {
    // The name is still being typed.
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

/** The text range of the value at a path; that of its closest existing parent when the value is missing. */
export function textRangeOf(state: EditorState, path: Path): TextRange {
  const tree = ensureSyntaxTree(state, state.doc.length, 500);
  let node = tree && valueOf(tree.topNode);
  let range: TextRange = node ? { from: node.from, to: Math.min(node.to, node.from + 1) } : { from: 0, to: 0 };
  for (const step of path) {
    if (!node) break;
    if (typeof step === "number" || (node.name === "Array" && /^\d+$/.test(step))) {
      node = valuesIn(node)[Number(step)] ?? null;
    } else {
      const property: SyntaxNode | undefined = node.getChildren("Property").find((child) => nameOf(state, child) === step);
      node = property ? valueOf(property) : null;
    }
    if (node) {
      const isShort = node.name !== "Object" && node.name !== "Array";
      range = { from: node.from, to: isShort ? node.to : node.from + 1 };
    }
  }
  return range;
}

/** The path of the value that contains the node. */
export function pathOf(state: EditorState, node: SyntaxNode): Path {
  const path: (string | number)[] = [];
  for (let ancestor: SyntaxNode | null = node; ancestor; ancestor = ancestor.parent) {
    if (ancestor.name === "Property") path.unshift(nameOf(state, ancestor) ?? "");
    else if (ancestor.parent?.name === "Array" && values.has(ancestor.name)) {
      const { from } = ancestor;
      path.unshift(valuesIn(ancestor.parent).findIndex((value) => value.from === from));
    }
  }
  return path;
}
