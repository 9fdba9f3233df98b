import { auth } from "@fairway/contract/auth";
import { oidc } from "@fairway/contract/oidc";
import { closeBrowserMemory } from "../browser/browser-memory.ts";
import { call, setTokenSource } from "../gateway/call.ts";
import { GatewayError } from "../gateway/gateway-error.ts";
import { Session, type SessionEnd } from "./session.ts";
import { noteSessionEnd } from "./session-end-note.ts";
import { createSessionStorage } from "./session-storage.ts";
import { closeTabMemory } from "../browser/tab-memory.ts";
import { openTabs } from "./tabs.ts";

// An unresponsive server must not block the logout.
const logoutTimeoutMs = 3_000;

/**
 * Opens the session of this tab with the browser's storage, locks and channel, and makes it the token source of all calls.
 * @param onEnd called when the session has ended
 * @param onLogoutPending called on a logout without a network; the server is notified once the network is back
 */
export function openBrowserSession(
  onEnd: (reason: SessionEnd, address?: string | null) => void,
  onLogoutPending: () => void = () => {},
): Session {
  const session = new Session({
    storage: createSessionStorage({
      storage: sessionStorage,
      setCookie: (cookie) => {
        document.cookie = cookie;
      },
      secure: location.protocol === "https:",
    }),
    openTabs: (options) => openTabs({ ...options, locks: "locks" in navigator ? navigator.locks : undefined }),
    refresh: async (refreshToken) => {
      try {
        return await call(auth.refresh, { body: { refreshToken } });
      } catch (error) {
        if (error instanceof GatewayError) noteProviderEnd(error);
        throw error;
      }
    },
    endOnServer: async ({ stored: { refresh_token: refreshToken }, user }) => {
      // Not only once the server knows: without a network, that may take long, and the tab may be closed before.
      closeTabMemory();
      closeBrowserMemory();
      if (!navigator.onLine) {
        onLogoutPending();
        await new Promise((resolve) => addEventListener("online", resolve, { once: true }));
      }
      try {
        const options = { signal: AbortSignal.timeout(logoutTimeoutMs) };
        if (user.from_provider === true) return (await call(oidc.logout, { body: { refreshToken } }, options)).address;
        await call(auth.logout, { body: { refreshToken } }, options);
      } catch (error) {
        if (!(error instanceof GatewayError) && !(error instanceof DOMException)) throw error;
      }
      return null;
    },
    onEnd,
  });
  setTokenSource(session);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") session.resume();
  });
  addEventListener("online", () => session.resume());
  // A page restored from the back-forward cache may show a user who has signed out since.
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
  return session;
}

/** Login says why the organization's OpenID Connect provider did not let the session go on. */
function noteProviderEnd({ errors }: GatewayError): void {
  const reason = errors.find(({ code }) => code === "provider-ended");
  if (reason) noteSessionEnd(reason.message);
}
