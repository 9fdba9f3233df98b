import type { z } from "zod";
import { rememberInTab } from "./tab-memory.ts";

/** Of all drafts together, as JSON in UTF-8. The oldest go first. */
const maxBytes = 1_000_000;

/** Typed and unsaved text, by the name of its form, the newest last. Never contains a password, key or token. */
const drafts = new Map<string, unknown>();
let hasChanged = false;

const store = rememberInTab("drafts", {
  restore: (stored) => {
    drafts.clear();
    if (typeof stored === "object" && stored !== null) for (const [name, value] of Object.entries(stored)) drafts.set(name, value);
  },
  forget: () => drafts.clear(),
});

/** Keeps what is being typed. It is stored once the page is hidden or left. */
export function keepDraft(name: string, value: unknown): void {
  drafts.delete(name);
  drafts.set(name, value);
  hasChanged = true;
}

/** Called when the form is saved or discarded. */
export function forgetDraft(name: string): void {
  if (!drafts.delete(name)) return;
  hasChanged = true;
  storeDrafts();
}

/** The draft of a form from before the page was reloaded. Undefined if there is none, or if it does not match the schema of this release. */
export const draftOf = <T>(name: string, schema: z.ZodType<T>): T | undefined => schema.safeParse(drafts.get(name)).data;
export const hasDraft = (name: string): boolean => drafts.has(name);

/** Stores the drafts in this tab. The same user gets them back after a reload, and after the next login if the session ended. */
export function storeDrafts(): void {
  if (!hasChanged) return;
  hasChanged = false;
  const stored: [string, unknown][] = [];
  let bytes = 0;
  for (const draft of Array.from(drafts).toReversed()) {
    const size = new TextEncoder().encode(JSON.stringify(draft)).length;
    if (bytes + size > maxBytes) continue;
    bytes += size;
    stored.unshift(draft);
  }
  store(Object.fromEntries(stored));
}

/** Stores the drafts whenever the page may not come back: a browser discards hidden pages without notice. */
export function watchDrafts(): void {
  // Adding the same listeners again changes nothing.
  addEventListener("pagehide", storeDrafts);
  document.addEventListener("visibilitychange", onVisibility);
}

function onVisibility(): void {
  if (document.visibilityState === "hidden") storeDrafts();
}
