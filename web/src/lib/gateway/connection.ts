import { apiBase } from "@fairway/contract/api";
import { health } from "@fairway/contract/health";
import { create } from "zustand";

/** `offline`: this device has no network. `unreachable`: the network is up, but the server does not respond. */
export type Connection = "online" | "offline" | "unreachable";

export const useConnection = create<{ connection: Connection }>(() => ({ connection: "online" }));

const initialDelayMs = 2_000;
const maxDelayMs = 15_000;
const probeTimeoutMs = 5_000;

/** False only if the browser reports that it is offline. */
export const hasNetwork = (): boolean => ("navigator" in globalThis && "onLine" in navigator ? navigator.onLine : true);

/** Identifies the active probe loop; null if none is running. */
let activeProbe: symbol | null = null;

/** Listens to the browser's online and offline events. Called once, by the entry that shows the connection. Decision 0171. */
export function watchConnection(): void {
  addEventListener("offline", setOffline);
  addEventListener("online", () => void probe());
  if (!hasNetwork()) setOffline();
}

/** Called when a request got no response. Probes the server to tell a failed request from a lost connection. */
export function checkConnection(): void {
  if (!hasNetwork()) setOffline();
  else if (activeProbe === null) void probe();
}

function setOffline(): void {
  activeProbe = null;
  useConnection.setState({ connection: "offline" });
}

/** Runs `listener` each time the connection is restored. Returns an unsubscribe function. */
export const onReconnected = (listener: () => void): (() => void) =>
  useConnection.subscribe((current, previous) => {
    if (current.connection === "online" && previous.connection !== "online") listener();
  });

/** Probes with backoff until the server responds, another probe loop starts or the browser goes offline. */
async function probe(): Promise<void> {
  const run = Symbol("probe");
  activeProbe = run;
  for (let delayMs = initialDelayMs; activeProbe === run; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
    const isReachable = await isServerReachable();
    if (activeProbe !== run) return;
    if (isReachable) activeProbe = null;
    useConnection.setState({ connection: isReachable ? "online" : "unreachable" });
    if (!isReachable) await new Promise((resolve) => setTimeout(resolve, delayMs));
  }
}

/** Any response counts, even an error: the calls themselves report what is wrong. */
async function isServerReachable(): Promise<boolean> {
  try {
    await fetch(apiBase + health.live.path, { cache: "no-store", signal: AbortSignal.timeout(probeTimeoutMs) });
    return true;
  } catch {
    return false;
  }
}
