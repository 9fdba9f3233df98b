import { forEachYielding } from "../pacing/yielding-loop.ts";

/** Rows as JSON text, the same as `JSON.stringify(rows, null, 2)`, without blocking the page. */
export async function jsonText(rows: readonly unknown[]): Promise<string> {
  return (await jsonParts(rows)).join("");
}

/** The same text in parts, for a Blob. */
export async function jsonParts(rows: readonly unknown[]): Promise<string[]> {
  if (rows.length === 0) return ["[]"];
  const parts: string[] = [];
  await forEachYielding(rows.length, (index) => {
    const text = JSON.stringify(rows[index], null, 2) ?? "null";
    // JSON escapes line breaks in values, so every break belongs to the layout.
    parts.push(`${index === 0 ? "[" : ","}\n  ${text.replaceAll("\n", "\n  ")}`);
  });
  parts.push("\n]");
  return parts;
}
