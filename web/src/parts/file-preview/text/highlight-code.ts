import highlighter from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import javascript from "highlight.js/lib/languages/javascript";
import julia from "highlight.js/lib/languages/julia";
import python from "highlight.js/lib/languages/python";
import r from "highlight.js/lib/languages/r";
import scala from "highlight.js/lib/languages/scala";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import { type CodePart, codeParts } from "#lib/browser/code-parts.ts";

for (const [name, language] of Object.entries({ bash, javascript, julia, python, r, scala, sql, typescript })) {
  highlighter.registerLanguage(name, language);
}

/** The parts of a code in their order. Code of a language that is not known is one part. */
export function highlightCode(code: string, language: string): CodePart[] {
  // Kernels add versions and dialects, such as `python3` or `ipython`.
  const name = language
    .toLowerCase()
    .replace(/^i(?=python)/, "")
    .replace(/(?<![\d.])[\d.]+$/, "");
  if (highlighter.getLanguage(name) === undefined) return [{ text: code, token: null }];
  return codeParts(highlighter.highlight(code, { language: name, ignoreIllegals: true }).value);
}
