import { OwnedMemory, type Memory } from "./owned-memory.ts";

/**
 * State of this tab that survives a reload. Stored in session storage, each entry bound to a username.
 * Cleared by an explicit logout and by another user's login.
 */
const memory = new OwnedMemory(() => sessionStorage, "fairway.tab.");

/** Registers a piece of state. Returns the function that stores its current value, a no-op until the user is known. */
export const rememberInTab = (name: string, part: Memory): ((state: unknown) => void) => memory.remember(name, part);

/** Called once the signed-in user is known. Restores their state and removes that of other users. */
export const adoptTabMemory = (username: string): void => memory.adopt(username);

/** Clears all state, both in memory and in the storage. */
export const forgetTabMemory = (): void => memory.forget();

/** Called when the user signs out: the storage is emptied while the screen is still shown. */
export const closeTabMemory = (): void => memory.close();
