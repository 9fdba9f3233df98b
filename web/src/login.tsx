import "#lib/browser/zod-jitless.ts";
import "#ui/theme/base.css";
import { createRoot } from "react-dom/client";
import { LoginPage } from "#features/sign-in/login-page.tsx";
import { takeCardReturn } from "#lib/session/card.ts";
import { loadPortalSettings, loadUiConfig } from "#lib/gateway/portal-settings.ts";
import { prefetchApplication } from "#lib/gateway/prefetch-application.ts";
import { takeProviderReturn } from "#lib/session/provider.ts";
import { openBrowserSession } from "#lib/session/browser-session.ts";
import { takeSessionEndNote } from "#lib/session/session-end-note.ts";
import { returnAddress } from "#lib/session/return-address.ts";

// Upper bound on the wait before the form appears, so that a quick redirect does not flash it.
const formDelayMs = 400;

const session = openBrowserSession(() => {
  // The login page shows nothing of the user.
});
const leaveLogin = () => location.replace(returnAddress(location.search, location.origin));
const isSetup = /^\/setup\/?$/.test(location.pathname);
const endNote = takeSessionEndNote();
const provider = isSetup ? null : takeProviderReturn("login");
const card = isSetup ? null : takeCardReturn("login");

async function show(): Promise<void> {
  const root = document.querySelector("#root");
  if (!root) return;
  const setup = isSetup
    ? {
        Form: (await import("#features/sign-in/setup-form.tsx")).SetupForm,
        token: new URLSearchParams(location.hash.slice(1)).get("token") ?? "",
      }
    : undefined;
  createRoot(root).render(
    <LoginPage
      endNote={endNote}
      setup={setup}
      card={card}
      provider={provider}
      onSignedIn={(wrapper) => session.signIn(wrapper, { leaving: true })}
    />,
  );
  prefetchApplication();
}

async function open(): Promise<void> {
  void loadUiConfig();
  const settingsLoaded = loadPortalSettings();
  // Signed in here, or in another tab while this page is open.
  session.subscribe(() => session.getState().user && leaveLogin());
  // A code is always redeemed, even with a live session: the user may need a recent sign-in.
  if (!isSetup && card?.kind !== "code" && provider?.kind !== "response") {
    const user = await Promise.race([session.start(), new Promise<null>((resolve) => setTimeout(() => resolve(null), formDelayMs))]);
    if (user) return;
  }
  await Promise.race([settingsLoaded, new Promise((resolve) => setTimeout(resolve, formDelayMs))]);
  await show();
}

void open();
