import "#lib/browser/zod-jitless.ts";
import "#ui/theme/base.css";
import "#ui/theme/mantine.css";
import "#features/search/search-extensions.ts";
import type { UserClaims } from "@fairway/contract/auth";
import { createRoot, type Root } from "react-dom/client";
import { adoptBrowserMemory, forgetBrowserMemory } from "#lib/browser/browser-memory.ts";
import { watchConnection } from "#lib/gateway/connection.ts";
import { loadPortalSettings, loadUiConfig } from "#lib/gateway/portal-settings.ts";
import { openPreferences } from "#lib/gateway/preferences.ts";
import { loginAddress } from "#lib/session/return-address.ts";
import { openBrowserSession } from "#lib/session/browser-session.ts";
import type { SessionEnd } from "#lib/session/session.ts";
import { setCurrentSession } from "#lib/session/current-session.ts";
import { logFailure } from "#lib/browser/log.ts";
import { noteSessionEnd } from "#lib/session/session-end-note.ts";
import { adoptTabMemory, forgetTabMemory } from "#lib/browser/tab-memory.ts";
import { storeDrafts, watchDrafts } from "#lib/browser/drafts.ts";
import { forgetUnsavedForms } from "#lib/browser/unsaved-changes.ts";
import { openRouter } from "#router.tsx";
import { App } from "#shell/app.tsx";
import { SignedOutOffline } from "#shell/session/signed-out-offline.tsx";

const router = openRouter();
watchConnection();
const session = openBrowserSession(leave, showSignedOut);
setCurrentSession(session);
let root: Root | null = null;

/** Leaves the page when the session ends. Only a page load is guaranteed to reset all state. */
function leave(reason: SessionEnd, address?: string | null): void {
  // The open searches and drafts are restored when the same user signs in after an expired session.
  if (reason === "expired") storeDrafts();
  else forgetTabMemory();
  if (reason === "signed-out") forgetBrowserMemory();
  if (reason === "expired") noteSessionEnd();
  forgetUnsavedForms();
  if (reason === "expired") location.replace(loginAddress(location));
  else location.replace(reason === "signed-out" ? (address ?? "/login") : "/search");
}

async function open(): Promise<void> {
  void loadUiConfig();
  loadScreen();
  const [user] = await Promise.all([startSession(), loadPortalSettings()]);
  if (!user) return location.replace(loginAddress(location));
  const element = document.querySelector("#root");
  if (!element) return;
  root = createRoot(element);
  root.render(<App router={router} />);
}

/** The signed-in user, once what this browser and the account keep of them is restored. */
async function startSession(): Promise<UserClaims | null> {
  const user = await session.start();
  if (!user) return null;
  adoptTabMemory(user.preferred_username);
  watchDrafts();
  adoptBrowserMemory(user);
  await openPreferences(user);
  return user;
}

/** The login page cannot open without a network, so this clears the screen at once. */
function showSignedOut(): void {
  root?.render(<SignedOutOffline />);
}

/** Loads the screen's code while the session starts. A failure is shown in place of the screen. */
function loadScreen(): void {
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname);
  for (const route of routes) {
    Promise.resolve(router.loadRouteChunk(route)).catch((cause: unknown) => logFailure("The screen could not be preloaded", cause));
  }
}

void open();
