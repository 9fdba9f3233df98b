import highlighter from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import javascript from "highlight.js/lib/languages/javascript";
import julia from "highlight.js/lib/languages/julia";
import python from "highlight.js/lib/languages/python";
import r from "highlight.js/lib/languages/r";
import scala from "highlight.js/lib/languages/scala";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";

for (const [name, language] of Object.entries({ bash, javascript, julia, python, r, scala, sql, typescript })) {
  highlighter.registerLanguage(name, language);
}

/** A piece of code; `token` is null for plain text. */
export interface CodePart {
  text: string;
  token: string | null;
}

/** The parts of a code in their order. Code of a language that is not known is one part. */
export function highlightCode(code: string, language: string): CodePart[] {
  // Kernels add versions and dialects, such as `python3` or `ipython`.
  const name = language
    .toLowerCase()
    .replace(/^i(?=python)/, "")
    .replace(/(?<![\d.])[\d.]+$/, "");
  if (highlighter.getLanguage(name) === undefined) return [{ text: code, token: null }];
  const { value } = highlighter.highlight(code, { language: name, ignoreIllegals: true });
  const parts: CodePart[] = [];
  addParts(new DOMParser().parseFromString(`<pre>\n${value}</pre>`, "text/html").body, null, parts);
  return parts;
}

function addParts(parent: Node, token: string | null, parts: CodePart[]): void {
  for (const node of parent.childNodes) {
    if (node instanceof Text) parts.push({ text: node.data, token });
    else if (node instanceof Element) addParts(node, /^hljs-(\w+)/.exec(node.className)?.[1] ?? token, parts);
  }
}
