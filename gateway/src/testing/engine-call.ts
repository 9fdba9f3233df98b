import type { EngineCall } from "#query/engine.ts";

/** A call without a timeout, ended only by the signal. */
export const engineCall = (signal: AbortSignal = new AbortController().signal, owner = "ada"): EngineCall => ({ signal, owner });
