import type { FlowFormat } from "@fairway/contract/flows";

/** Enough to see how a text begins. */
const beginningCharacters = 10_000;

const ignorable = /^(?:\s|#[^\n]*\n)+/;
const yamlStart = /^(?:---|%YAML|- |["']?[\w.][\w. -]{0,200}["']?:(?:\s|$))/;

/** The format that a text appears to have, by how it begins. */
export function formatOf(text: string): FlowFormat {
  const start = text
    .slice(0, beginningCharacters)
    .replace(/^\ufeff/, "")
    .trimStart();
  if (start.startsWith("{") || start.startsWith("[")) return "json";
  if (start.startsWith("<")) return "xml";
  return yamlStart.test(start.replace(ignorable, "")) ? "yaml" : "unknown";
}
