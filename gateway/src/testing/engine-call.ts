import type { EngineCall } from "#query/engine.ts";

/** A call of somebody who waits for the answer as long as it takes, or until the signal is aborted. */
export const engineCall = (signal: AbortSignal = new AbortController().signal, owner = "ada"): EngineCall => ({ signal, owner });
