import { auth } from "@fairway/contract/auth";
import { call, setTokenSource } from "../call.ts";
import { GatewayError } from "../gateway-error.ts";
import { Session, type SessionEnd } from "./session.ts";
import { sessionStorageIn } from "./session-storage.ts";
import { openTabs } from "./tabs.ts";

// A server that does not answer must not hold up the way out.
const logoutLimitMs = 3_000;

/**
 * The session of this tab, on the browser's own storage, locks and channel. Calls take their token from it from now on.
 * @param waiting signed out here, and the server can be told only when the network is back
 */
export function openBrowserSession(ended: (how: SessionEnd) => void, waiting: () => void = () => {}): Session {
  const session = new Session({
    storage: sessionStorageIn({
      storage: sessionStorage,
      setCookie: (cookie) => {
        document.cookie = cookie;
      },
      secure: location.protocol === "https:",
    }),
    openTabs: (around) => openTabs({ ...around, locks: "locks" in navigator ? navigator.locks : undefined }),
    refresh: (refreshToken) => call(auth.refresh, { body: { refreshToken } }),
    endOnServer: async (refreshToken) => {
      if (!navigator.onLine) {
        waiting();
        await new Promise((resolve) => addEventListener("online", resolve, { once: true }));
      }
      try {
        await call(auth.logout, { body: { refreshToken } }, { signal: AbortSignal.timeout(logoutLimitMs) });
      } catch (error) {
        if (!(error instanceof GatewayError) && !(error instanceof DOMException)) throw error;
      }
    },
    ended,
  });
  setTokenSource(session);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") session.resume();
  });
  addEventListener("online", () => session.resume());
  // A page out of the browser's back-forward cache shows another moment's user.
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
  return session;
}
