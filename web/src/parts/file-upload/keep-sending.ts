import { onReconnected } from "#lib/gateway/connection.ts";
import { GatewayError } from "#lib/gateway/gateway-error.ts";
import { TransferBroken } from "./put-content.ts";

interface KeepSending {
  readonly signal: AbortSignal;
  /** Whether what was sent stays, so that another attempt continues after a lost connection. */
  readonly continues: boolean;
  /** The server asks to wait. */
  readonly onWaiting: () => void;
  /** The server cannot be reached; another attempt follows. */
  readonly onDisconnected: () => void;
}

const maxWaitSeconds = 120;
/** Attempts to continue without any progress, which together take some minutes. */
const reconnectSeconds = [1, 2, 5, 10, 20, 30, 30, 30, 30];

/**
 * Runs an upload until it is done: waits where the gateway asks to, and continues after a lost connection. The attempt calls
 * `onProgress` when it gets further. Rejects with the failure that no other attempt can mend.
 */
export async function keepSending<Result>(
  attempt: (onProgress: () => void) => Promise<Result>,
  { signal, continues, onWaiting, onDisconnected }: KeepSending,
): Promise<Result> {
  let [attempts, waitedSeconds] = [0, 0];
  const onProgress = () => void (attempts = 0);
  for (;;) {
    try {
      return await attempt(onProgress);
    } catch (error) {
      const askedSeconds = secondsToWait(error);
      const reconnecting = continues && isDisconnection(error) ? reconnectSeconds[attempts] : undefined;
      if (askedSeconds !== undefined && waitedSeconds + askedSeconds <= maxWaitSeconds) {
        waitedSeconds += askedSeconds;
        onWaiting();
        await pause(askedSeconds * 1_000, signal);
      } else if (reconnecting !== undefined) {
        attempts += 1;
        onDisconnected();
        await pause(reconnecting * 1_000, signal, onReconnected);
      } else {
        throw error;
      }
    }
  }
}

/** At least 1; undefined if the server does not ask to wait. */
function secondsToWait(error: unknown): number | undefined {
  if (!(error instanceof GatewayError)) return undefined;
  const { status, retryAfterSeconds } = error;
  if (status === 429) return Math.max(1, retryAfterSeconds ?? 5);
  return status === 503 && retryAfterSeconds !== undefined ? Math.max(1, retryAfterSeconds) : undefined;
}

/** Nothing answered, or only a proxy. */
const isDisconnection = (error: unknown): boolean =>
  error instanceof TransferBroken ||
  (error instanceof GatewayError && (error.status === 0 || (error.status >= 502 && error.errors.length === 0)));

/** Ends early when `wake` calls its listener. */
function pause(ms: number, signal: AbortSignal, wake?: (listener: () => void) => () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      stopListening?.();
      settle();
    };
    const timer = setTimeout(() => end(resolve), ms);
    const stopListening = wake?.(() => end(resolve));
    signal.addEventListener("abort", () => end(() => reject(signal.reason as Error)));
  });
}
