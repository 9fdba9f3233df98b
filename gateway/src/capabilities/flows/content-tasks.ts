import { gunzipSync, gzipSync } from "node:zlib";
import { flowContentBytes } from "@fairway/contract/flows";
import { type Inspected, inspectContent } from "./inspect-content.ts";
import { type LineContext, lineContext } from "./line-context.ts";

/** A content to check and compress, or a compressed content of which one line is needed. */
export type ContentTask =
  | { readonly kind: "pack"; readonly text: string }
  | { readonly kind: "line"; readonly content: Uint8Array; readonly line: number };

export type ContentOutcome =
  | { readonly kind: "packed"; readonly inspected: Inspected; readonly content: Uint8Array }
  | { readonly kind: "line"; readonly context: LineContext | undefined };

export function performContentTask(task: ContentTask): ContentOutcome {
  if (task.kind === "pack") {
    const inspected = inspectContent(task.text);
    return { kind: "packed", inspected, content: inspected.danger === undefined ? gzipSync(task.text) : new Uint8Array() };
  }
  const text = gunzipSync(task.content, { maxOutputLength: flowContentBytes }).toString("utf8");
  return { kind: "line", context: lineContext(text, task.line) };
}
