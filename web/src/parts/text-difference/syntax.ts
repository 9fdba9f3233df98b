import highlighter from "highlight.js/lib/core";
import json from "highlight.js/lib/languages/json";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { codeParts } from "#lib/browser/code-parts.ts";
import type { LineMarks } from "./line-parts.ts";

highlighter.registerLanguage("json", json);
highlighter.registerLanguage("xml", xml);
highlighter.registerLanguage("yaml", yaml);

export type Syntax = "json" | "xml" | "yaml" | "text";

/** Of a flow, which is JSON, XML or YAML. */
export function syntaxOf(text: string): Syntax {
  const first = /^\s{0,1000}(\S)/.exec(text)?.[1] ?? "";
  if (first === "{" || first === "[") return "json";
  if (first === "<") return "xml";
  return /^(?:---|#|[\w -]{1,100}:(?:\s|$))/m.test(text.slice(0, 1_000)) ? "yaml" : "text";
}

/** The tokens of one line. What spans several lines, such as a comment, is not known. */
export function lineTokens(line: string, syntax: Syntax): LineMarks["tokens"] {
  if (syntax === "text" || line.trim() === "") return [];
  const tokens: { from: number; to: number; token: string }[] = [];
  let at = 0;
  for (const { text, token } of codeParts(highlighter.highlight(line, { language: syntax, ignoreIllegals: true }).value)) {
    if (token !== null && token !== "punctuation") tokens.push({ from: at, to: at + text.length, token });
    at += text.length;
  }
  return tokens;
}
