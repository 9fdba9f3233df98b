import { type Encoding, textBytes } from "./text-bytes.ts";
import { Findings, type LineFindings } from "./text-copies.ts";
import { linesOf } from "./text-lines.ts";

/** A JSON file as UTF-8; with `objectsOnly`, only the lines that are JSON objects. */
export async function* plainJson(
  file: string,
  encoding: Encoding,
  objectsOnly: boolean,
  signal: AbortSignal,
): AsyncGenerator<string, LineFindings> {
  const findings = new Findings();
  for await (const lines of linesOf(textBytes(file, encoding, signal))) {
    let text = "";
    for (const line of lines) {
      if (line.text.trim() === "") continue;
      findings.lines += 1;
      const fault = objectsOnly ? faultOf(line.text) : null;
      if (fault !== null) {
        findings.add("unreadable", line.number, fault);
        continue;
      }
      if (line.isRecoded) findings.add("recoded", line.number);
      findings.longestLine = Math.max(findings.longestLine, line.text.length);
      text += `${line.text}\n`;
    }
    if (text !== "") yield text;
  }
  return findings.all;
}

/** Why a line is not a JSON object; null if it is one. */
export function faultOf(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? null : "not a JSON object";
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const place = /position (\d+)/.exec(error.message)?.[1];
    return place === undefined ? "it ends too early" : `column ${Number(place) + 1}: no JSON`;
  }
}
