import { AsyncLocalStorage } from "node:async_hooks";

/** On whose behalf work is done. The owner of a call changes once: from the address that it came from to the person. */
export interface Caller {
  owner: string;
  /** Whatever there is and was withheld from the caller, for the audit log alone. */
  denied?: Set<string>;
}

/** Said of a dataset without any row for the caller. */
export const deniedRows = "no rows";

/** A call that asks for more is a probe anyway. */
const maxDenied = 5;

const callers = new AsyncLocalStorage<Caller | undefined>();

export const addressOwner = (address: string): string => `address ${address}`;
export const personOwner = (userId: string): string => `person ${userId}`;

/** Everything that the work awaits takes its turns as this caller. */
export const asCaller = <T>(caller: Caller, work: () => T): T => callers.run(caller, work);

/**
 * For work whose result others share, or that goes on after the call that starts it. Otherwise it would wait in the line of
 * whoever happened to start it, and others with it.
 */
export const asPortal = <T>(work: () => T): T => callers.run(undefined, work);

/** Undefined = the portal itself. */
export const currentOwner = (): string | undefined => callers.getStore()?.owner;

/** Tells the audit log that something was withheld from the caller, whom the answer does not tell that there is such a thing. */
export function noteDenied(what: string): void {
  const caller = callers.getStore();
  if (caller === undefined) return;
  caller.denied ??= new Set();
  if (caller.denied.size < maxDenied) caller.denied.add(what);
}
