import "#lib/zod-jitless.ts";
import "#ui/base.css";
import { createRoot } from "react-dom/client";
import { LoginPage } from "#features/sign-in/login-page.tsx";
import { takeCardReturn } from "#lib/card.ts";
import { loadPortalSettings, loadUiConfig } from "#lib/portal-settings.ts";
import { prefetchApplication } from "#lib/prefetch-application.ts";
import { openBrowserSession } from "#lib/session/browser-session.ts";
import { takeSessionEndNote } from "#lib/session/session-end-note.ts";
import { returnAddress } from "#lib/session/return-address.ts";

// What is decided quickly never flashes a form.
const decisionMs = 400;

const session = openBrowserSession(() => {
  // Nothing is shown here that would have to go.
});
const goOn = () => location.replace(returnAddress(location.search, location.origin));
const isSetup = /^\/setup\/?$/.test(location.pathname);
const hasSessionEnded = takeSessionEndNote();
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
      hasSessionEnded={hasSessionEnded}
      setup={setup}
      card={card}
      onSignedIn={(wrapper) => session.signIn(wrapper, { leaving: true })}
    />,
  );
  prefetchApplication();
}

async function open(): Promise<void> {
  void loadUiConfig();
  const settled = loadPortalSettings();
  // Signed in here, or in another tab while this page is open: nobody needs to log in.
  session.subscribe(() => session.getState().user && goOn());
  // A card that was just read is turned in, also where a session holds: it may have become too old for something.
  if (!isSetup && card?.kind !== "code") {
    const user = await Promise.race([session.start(), new Promise<null>((resolve) => setTimeout(() => resolve(null), decisionMs))]);
    if (user) return;
  }
  await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, decisionMs))]);
  await show();
}

void open();
