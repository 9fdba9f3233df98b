import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import { hoverTooltip } from "@codemirror/view";
import { pathOf, type SyntaxNode } from "./editor-paths.ts";
import { hintOf, type JsonSchema, namesAt, schemasAt, valuesAt } from "./editor-schema.ts";

/** Completes the names and values that the schema allows at the cursor. */
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
    const container = node.name === "Object" ? node : enclosing(node, isValue ? ["Property", "Array"] : ["Object"]);
    if (isValue) {
      const path = pathOf(context.state, node.name === "Array" ? node : (container ?? node));
      const valuePath = before.endsWith("[") ? [...path, 0] : path;
      const options = valuesAt(root, valuePath).map((value): Completion => ({ label: JSON.stringify(value), type: "constant" }));
      return options.length === 0 ? null : { from, options };
    }
    if (!container || !/[{,]$/.test(before)) return null;
    const present = new Set(
      container
        .getChildren("Property")
        .map((property) => context.state.sliceDoc(property.from, property.getChild("PropertyName")?.to).replaceAll('"', "")),
    );
    const hasColon = /^\s*:/.test(context.state.sliceDoc(context.pos, context.pos + 20));
    const options = namesAt(root, pathOf(context.state, container))
      .filter(({ name }) => !present.has(name) || context.state.sliceDoc(from, context.pos).includes(name))
      .map(({ name, required, hint }): Completion => ({
        label: `"${name}"`,
        apply: hasColon ? `"${name}"` : `"${name}": `,
        type: "property",
        detail: required ? "required" : "",
        info: hint,
        boost: required ? 1 : 0,
      }));
    return options.length === 0 ? null : { from, options };
  };

function enclosing(node: SyntaxNode, names: readonly string[]): SyntaxNode | null {
  for (let ancestor: SyntaxNode | null = node; ancestor; ancestor = ancestor.parent) if (names.includes(ancestor.name)) return ancestor;
  return null;
}

/** Shows the schema's hint for the name under the pointer. */
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
