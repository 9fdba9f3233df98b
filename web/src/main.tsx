import "#lib/zod-jitless.ts";
import "#ui/base.css";
import "#ui/mantine.css";
import "#features/search/search-extensions.ts";
import { createRoot, type Root } from "react-dom/client";
import { watchConnection } from "#lib/connection.ts";
import { loadPortalSettings, loadUiConfig } from "#lib/portal-settings.ts";
import { loginAddress } from "#lib/session/return-address.ts";
import { openBrowserSession } from "#lib/session/browser-session.ts";
import type { SessionEnd } from "#lib/session/session.ts";
import { setCurrentSession } from "#lib/session/current-session.ts";
import { logFailure } from "#lib/log.ts";
import { noteSessionEnd } from "#lib/session/session-end-note.ts";
import { adoptTabMemory, forgetTabMemory } from "#lib/tab-memory.ts";
import { forgetUnsavedForms, keepDrafts } from "#lib/unsaved-changes.ts";
import { openRouter } from "#router.tsx";
import { App } from "#shell/app.tsx";
import { SignedOutOffline } from "#shell/signed-out-offline.tsx";

const router = openRouter();
watchConnection();
const session = openBrowserSession(leave, showSignedOut);
setCurrentSession(session);
let root: Root | null = null;

/** The screen's user is gone. A page load is the one reset that forgets nothing half. */
function leave(how: SessionEnd): void {
  // After an expired session the same user finds the open searches and what was typed again.
  if (how === "expired") keepDrafts();
  else forgetTabMemory();
  if (how === "expired") noteSessionEnd();
  forgetUnsavedForms();
  if (how === "expired") location.replace(loginAddress(location));
  else location.replace(how === "signed-out" ? "/login" : "/search");
}

async function open(): Promise<void> {
  void loadUiConfig();
  loadScreen();
  const [user] = await Promise.all([session.start(), loadPortalSettings()]);
  if (!user) return location.replace(loginAddress(location));
  adoptTabMemory(user.preferred_username);
  const element = document.querySelector("#root");
  if (!element) return;
  root = createRoot(element);
  root.render(<App router={router} />);
}

/** Login cannot be opened without a network: what the user had on the screen goes at once all the same. */
function showSignedOut(): void {
  root?.render(<SignedOutOffline />);
}

/** The screen's own code comes while the session is taken up. What does not come is told of where the screen is shown. */
function loadScreen(): void {
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname);
  for (const route of routes) {
    Promise.resolve(router.loadRouteChunk(route)).catch((cause: unknown) => logFailure("The screen could not be loaded ahead", cause));
  }
}

void open();
