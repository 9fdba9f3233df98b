import { recordOf } from "@fairway/contract/records";
import { z } from "zod";
import { create } from "zustand";
import { rememberInTab } from "#lib/browser/tab-memory.ts";

/** Texts that have not been sent, by where they belong. They survive a reload and the end of the session. */
const useDrafts = create<{ drafts: Readonly<Record<string, string>> }>(() => ({ drafts: {} }));

const store = rememberInTab("flow comments", {
  restore: (stored) => useDrafts.setState({ drafts: recordOf(z.string(), z.string()).safeParse(stored).data ?? {} }),
  forget: () => useDrafts.setState({ drafts: {} }),
});

/** Target of a text of a request. */
export type DraftTarget =
  | { kind: "new" }
  | { kind: "line"; iterationId: number; line: number }
  | { kind: "component"; iterationId: number; componentId: string }
  | { kind: "edit"; commentId: number }
  | { kind: "status"; change: string };

function keyOf(requestId: number, target: DraftTarget): string {
  switch (target.kind) {
    case "new":
      return `${requestId} new`;
    case "line":
      return `${lineKeys(requestId, target.iterationId)}${target.line}`;
    case "component":
      return `${requestId} component ${target.iterationId} ${target.componentId}`;
    case "edit":
      return `${requestId} edit ${target.commentId}`;
    case "status":
      return `${requestId} status ${target.change}`;
    default:
      return target satisfies never;
  }
}

const lineKeys = (requestId: number, iterationId: number): string => `${requestId} line ${iterationId} `;

function setDraft(key: string, text: string | undefined): void {
  const { [key]: _, ...others } = useDrafts.getState().drafts;
  const drafts = text === undefined ? others : { ...others, [key]: text };
  useDrafts.setState({ drafts });
  store(drafts);
}

/** A text that is being written; undefined while none is. */
export function useCommentDraft(
  requestId: number,
  target: DraftTarget,
): [text: string | undefined, set: (text: string | undefined) => void] {
  const key = keyOf(requestId, target);
  return [useDrafts(({ drafts }) => drafts[key]), (text) => setDraft(key, text)];
}

/** Opens the form for a text, unless it is open already. */
export function startDraft(requestId: number, target: DraftTarget, text = ""): void {
  const key = keyOf(requestId, target);
  if (useDrafts.getState().drafts[key] === undefined) setDraft(key, text);
}

/** Puts a text that cannot be sent where it was written into the box for a new comment, below what is there. */
export function keepAsComment(requestId: number, target: DraftTarget): void {
  const { drafts } = useDrafts.getState();
  const box = keyOf(requestId, { kind: "new" });
  const kept = [drafts[box], drafts[keyOf(requestId, target)]].filter((text) => text !== undefined && text.trim() !== "");
  setDraft(keyOf(requestId, target), undefined);
  if (kept.length > 0) setDraft(box, kept.join("\n\n"));
}

/** The lines of an iteration on which comments are being written, as text, so that it is equal while they are the same. */
export const useDraftLines = (requestId: number, iterationId: number): string =>
  useDrafts(({ drafts }) => {
    const start = lineKeys(requestId, iterationId);
    return Object.keys(drafts)
      .filter((key) => key.startsWith(start))
      .map((key) => key.slice(start.length))
      .toSorted((one, other) => Number(one) - Number(other))
      .join(" ");
  });
