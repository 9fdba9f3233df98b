import type { UserClaims } from "@fairway/contract/auth";
import { OwnedMemory, type Memory } from "./owned-memory.ts";

/**
 * State of the user in this browser, shared by its tabs. Stored in local storage under keys that name nobody, each entry bound
 * to the user's id. Cleared by a logout and by another user's login. Decision 0680.
 */
const memory = new OwnedMemory(() => localStorage, "fairway.user.");

/** Registers a piece of state. Returns the function that stores its current value, a no-op until the user is known. */
export const rememberInBrowser = (name: string, part: Memory): ((state: unknown) => void) => memory.remember(name, part);

/** Called once the signed-in user is known. Restores their state, removes that of other users and follows what other tabs store. */
export function adoptBrowserMemory({ sub, preferred_username: username }: UserClaims): void {
  memory.adopt(sub);
  takeOverNamedEntries(username);
  // Adding the same listener again changes nothing.
  addEventListener("storage", onStorage);
}

/** Clears all state, both in memory and in the storage. */
export function forgetBrowserMemory(): void {
  memory.forget();
  removeNamedEntries();
}

/** Called when the user signs out: the storage is emptied while the screen is still shown. */
export function closeBrowserMemory(): void {
  memory.close();
  removeNamedEntries();
}

function onStorage({ key, storageArea }: StorageEvent): void {
  if (storageArea === attempt(() => localStorage)) memory.follow(key);
}

/** Keys of earlier releases, which named the user. */
const namedPrefixes = ["fairway.seen.", "fairway.times.", "fairway.columns."];
const namedKeys = ["fairway.filesets"];

function takeOverNamedEntries(username: string): void {
  const seen = takeNamedEntry(`fairway.seen.${encodeURIComponent(username)}`);
  if (seen !== null) memory.takeOver("seen", seen);
  const entry = takeNamedEntry("fairway.filesets") as { username?: unknown } | null;
  if (entry?.username !== username) return;
  const { username: _, ...state } = entry;
  memory.takeOver("filesets", state);
}

/** Value that an earlier release stored under a key that named the user; it is removed. Null if there is nothing that can be read. */
export function takeNamedEntry(key: string): unknown {
  const text = attempt(() => localStorage.getItem(key)) ?? null;
  attempt(() => localStorage.removeItem(key));
  return text === null ? null : (attempt(() => JSON.parse(text) as unknown) ?? text);
}

/** Keys of earlier releases with this beginning. */
export const namedEntries = (prefix: string): string[] =>
  attempt(() => Object.keys(localStorage).filter((key) => key.startsWith(prefix))) ?? [];

/** Also those of other users, who have all signed out. */
function removeNamedEntries(): void {
  for (const key of [...namedPrefixes.flatMap(namedEntries), ...namedKeys]) attempt(() => localStorage.removeItem(key));
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof DOMException || error instanceof ReferenceError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
