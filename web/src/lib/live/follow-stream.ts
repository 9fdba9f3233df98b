import { live, liveMessage, type LiveMessage } from "@fairway/contract/live";
import { createParser } from "eventsource-parser";
import { callStream } from "#lib/gateway/call.ts";
import { GatewayError } from "#lib/gateway/gateway-error.ts";

export interface StreamListener {
  /** From now on, nothing is missed; before, anything may have been. */
  onOpen: (build: string | null) => void;
  onChange: (message: Extract<LiveMessage, { kind: "changed" | "everything" }>) => void;
  /** Something was received, if only a sign of life. */
  onAlive: () => void;
  /** There is no stream for a while. */
  onDown: () => void;
}

/** The gateway sends something every 20 seconds. */
export const silenceMs = 50_000;
const firstDelayMs = 1_000;
const maxDelayMs = 60_000;
/** A stream that lasted this long was not cut by something that cuts the next one as well. */
const lastingMs = 30_000;
/** Another release may have the stream after an upgrade. */
const unsupportedDelayMs = 600_000;
const renewalDelayMs = 500;

interface Outcome {
  /** How long the stream was open; 0 if it did not open. */
  openMs: number;
  reason?: Extract<LiveMessage, { kind: "end" }>["reason"];
  /** Delay that the gateway asked for. */
  retryMs?: number;
  status?: number;
}

/** Reads the stream and opens the next one whenever it ends, until the signal aborts. */
export async function followStream(listener: StreamListener, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const outcome = await readStream(listener, signal);
    if (signal.aborted) return;
    failures = outcome.openMs >= lastingMs || outcome.reason === "renew" ? 0 : failures + 1;
    // The next one follows at once.
    if (outcome.reason !== "renew") listener.onDown();
    await pause(delayOf(outcome, failures), signal);
  }
}

function delayOf({ reason, retryMs = 0, status }: Outcome, failures: number): number {
  if (reason === "renew") return Math.random() * renewalDelayMs;
  if (reason === "stopping" && failures <= 1) return retryMs;
  const backoffMs = Math.min(firstDelayMs * 2 ** Math.max(0, failures - 1), maxDelayMs) * (0.5 + Math.random());
  return status === 404 ? unsupportedDelayMs : Math.max(retryMs, backoffMs);
}

async function readStream(listener: StreamListener, signal: AbortSignal): Promise<Outcome> {
  const outcome: Outcome = { openMs: 0 };
  let openedMs: number | undefined;
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), silenceMs);
  const parser = createParser({
    onRetry: (ms) => (outcome.retryMs = ms),
    onEvent: ({ data }) => {
      const message = parseMessage(data);
      if (message?.kind === "open") {
        openedMs = performance.now();
        listener.onOpen(message.build);
      } else if (message?.kind === "end") outcome.reason = message.reason;
      else if (message !== undefined) listener.onChange(message);
    },
  });
  try {
    const response = await callStream(live.stream, AbortSignal.any([signal, silence.signal]));
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const chunk = await reader?.read();
      if (chunk?.value === undefined) break;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceMs);
      parser.feed(chunk.value);
      listener.onAlive();
    }
  } catch (error) {
    // A connection that breaks rejects with a TypeError, silence with an AbortError.
    if (error instanceof GatewayError) {
      outcome.status = error.status;
      if (error.retryAfterSeconds !== undefined) outcome.retryMs = error.retryAfterSeconds * 1_000;
    } else if (!(error instanceof TypeError) && !(error instanceof DOMException)) throw error;
  } finally {
    clearTimeout(timer);
  }
  if (openedMs !== undefined) outcome.openMs = performance.now() - openedMs;
  return outcome;
}

/** Undefined for what this release does not know. */
function parseMessage(data: string): LiveMessage | undefined {
  try {
    return liveMessage.safeParse(JSON.parse(data)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Ends early when the network is back or the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener("online", end);
    signal.addEventListener("abort", end);
  });
}
