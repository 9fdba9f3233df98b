import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import { hoverTooltip } from "@codemirror/view";
import { pathOf, type SyntaxNode } from "./editor-places.ts";
import { hintOf, type JsonSchema, namesAt, schemasAt, valuesAt } from "./editor-schema.ts";

/** Names and values that the schema knows for the place of the cursor. */
export const completions =
  (schema: () => JsonSchema | undefined) =>
  (context: CompletionContext): CompletionResult | null => {
    const root = schema();
    if (!root) return null;
    const node = syntaxTree(context.state).resolveInner(context.pos, -1);
    const word = context.matchBefore(/"?[\w-]*"?/);
    const from = word?.from ?? context.pos;
    if (from === context.pos && !context.explicit) return null;
    const before = context.state.sliceDoc(Math.max(0, from - 200), from).trimEnd();
    const isValue = node.name !== "PropertyName" && /[:[]$/.test(before);
    const holder = node.name === "Object" ? node : enclosing(node, isValue ? ["Property", "Array"] : ["Object"]);
    if (isValue) {
      const path = pathOf(context.state, node.name === "Array" ? node : (holder ?? node));
      const place = before.endsWith("[") ? [...path, 0] : path;
      const options = valuesAt(root, place).map((value): Completion => ({ label: JSON.stringify(value), type: "constant" }));
      return options.length === 0 ? null : { from, options };
    }
    if (!holder || !/[{,]$/.test(before)) return null;
    const present = new Set(
      holder.getChildren("Property").map((one) => context.state.sliceDoc(one.from, one.getChild("PropertyName")?.to).replaceAll('"', "")),
    );
    const follows = /^\s*:/.test(context.state.sliceDoc(context.pos, context.pos + 20));
    const options = namesAt(root, pathOf(context.state, holder))
      .filter(({ name }) => !present.has(name) || context.state.sliceDoc(from, context.pos).includes(name))
      .map(({ name, required, hint }): Completion => ({
        label: `"${name}"`,
        apply: follows ? `"${name}"` : `"${name}": `,
        type: "property",
        detail: required ? "required" : "",
        info: hint,
        boost: required ? 1 : 0,
      }));
    return options.length === 0 ? null : { from, options };
  };

function enclosing(node: SyntaxNode, names: readonly string[]): SyntaxNode | null {
  for (let at: SyntaxNode | null = node; at; at = at.parent) if (names.includes(at.name)) return at;
  return null;
}

/** What the schema says of a name, shown over it. */
export const schemaTooltip = (schema: () => JsonSchema | undefined) =>
  hoverTooltip((view, pos) => {
    const root = schema();
    const node = syntaxTree(view.state).resolveInner(pos);
    if (!root || node.name !== "PropertyName") return null;
    const hint = hintOf(root, schemasAt(root, pathOf(view.state, node)));
    if (hint === "") return null;
    return {
      pos: node.from,
      end: node.to,
      above: true,
      create: () => {
        const dom = document.createElement("div");
        dom.textContent = hint;
        return { dom };
      },
    };
  });
