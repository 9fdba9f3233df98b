import { apiBase } from "@fairway/contract/api";
import { health } from "@fairway/contract/health";
import { create } from "zustand";

/** `offline`: this machine has no network. `unreachable`: it has one, and the server does not answer. */
export type Connection = "online" | "offline" | "unreachable";

export const useConnection = create<{ connection: Connection }>(() => ({ connection: "online" }));

const firstPauseMs = 2_000;
const longestPauseMs = 15_000;
const answerLimitMs = 5_000;

/** False only where the browser is sure. */
export const hasNetwork = (): boolean => ("navigator" in globalThis && "onLine" in navigator ? navigator.onLine : true);

/** The run of tries that counts; null while none is needed. */
let probing: symbol | null = null;

/** Follows the browser's own signs of a network. Called once, by the entry that shows the connection. Decision 0171. */
export function watchConnection(): void {
  addEventListener("offline", setOffline);
  addEventListener("online", () => void probe());
  if (!hasNetwork()) setOffline();
}

/** A request got no answer at all. Whether that was one request or the connection is asked of the server at once. */
export function noteUnanswered(): void {
  if (!hasNetwork()) setOffline();
  else if (probing === null) void probe();
}

function setOffline(): void {
  probing = null;
  useConnection.setState({ connection: "offline" });
}

/** Runs `listener` each time the connection is back. Returns the function that stops it. */
export const onReconnected = (listener: () => void): (() => void) =>
  useConnection.subscribe((now, before) => {
    if (now.connection === "online" && before.connection !== "online") listener();
  });

/** Asks until the server answers, or another run or the lack of a network makes this one pointless. */
async function probe(): Promise<void> {
  const run = Symbol("run of tries");
  probing = run;
  for (let pauseMs = firstPauseMs; probing === run; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const answered = await serverAnswers();
    if (probing !== run) return;
    if (answered) probing = null;
    useConnection.setState({ connection: answered ? "online" : "unreachable" });
    if (!answered) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Any answer counts, also a refusal: calls say themselves what is wrong. */
async function serverAnswers(): Promise<boolean> {
  try {
    await fetch(apiBase + health.live.path, { cache: "no-store", signal: AbortSignal.timeout(answerLimitMs) });
    return true;
  } catch {
    return false;
  }
}
