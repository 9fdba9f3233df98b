import { auth, type TokenWrapper, type UserClaims } from "@fairway/contract/auth";
import { graphTemplates } from "@fairway/contract/graph-templates";
import { health } from "@fairway/contract/health";
import { notices } from "@fairway/contract/notices";
import { savedSearches } from "@fairway/contract/saved-searches";
import { settings, type UiConfig } from "@fairway/contract/settings";
import { cleanNotifications } from "@mantine/notifications";
import type { ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { call, setTokenSource } from "#lib/call.ts";
import { defaultPortalSettings, loadPortalSettings, loadUiConfig } from "#lib/portal-settings.ts";
import { queryClient } from "#lib/query-client.ts";
import { setCurrentSession } from "#lib/session/current-session.ts";
import { Session, type SessionEnd } from "#lib/session/session.ts";
import { sessionStorageIn } from "#lib/session/session-storage.ts";
import { adoptTabMemory, forgetTabMemory } from "#lib/tab-memory.ts";
import { openRouter } from "#router.tsx";
import { App } from "#shell/app.tsx";
import { ContractGateway } from "./contract-gateway.ts";
import { resetStores } from "./zustand.ts";

/** Who is signed in where a test names nobody. */
export const ada: UserClaims = {
  sub: "u-ada",
  preferred_username: "ada",
  name: "Ada Lovelace",
  given_name: "Ada",
  family_name: "Lovelace",
  email: "ada@fairway.example",
  roles: [],
};

/** What the installation offers where a test says nothing else. */
export const uiConfig: UiConfig = {
  appTitle: "",
  appSubtitle: "",
  feedbackEnabled: true,
  availableTorchServices: [],
  downloadableTools: [],
  cac: null,
};

/** Answers the calls of the opened screen. */
export const gateway = new ContractGateway();
let signedIn = ada;
let root: Root | null = null;
let closeRouter = () => {};

/** Prepares what every screen asks for. */
export function prepareApp(): void {
  gateway.open();
  gateway.answer(settings.portal, defaultPortalSettings);
  gateway.answer(settings.ui, uiConfig);
  gateway.answer(health.live, { status: "ok" });
  gateway.answer(notices.fresh, []);
  gateway.answer(savedSearches.list, []);
  gateway.answer(graphTemplates.list, []);
  gateway.answer(auth.refresh, () => tokenOf(signedIn));
  gateway.answer(auth.logout, undefined);
}

/** Takes the app off the page, and forgets what a page load forgets. */
function leavePage(): void {
  root?.unmount();
  root = null;
  closeRouter();
  closeRouter = () => {};
  document.body.replaceChildren();
  cleanNotifications();
  queryClient.clear();
  const kept = Object.entries(sessionStorage) as [string, string][];
  forgetTabMemory();
  resetStores();
  for (const [key, value] of kept) sessionStorage.setItem(key, value);
}

/** Takes the app off the page and forgets all that it remembers. Answers what went wrong between it and the gateway. */
export function resetApp(): readonly string[] {
  leavePage();
  sessionStorage.clear();
  localStorage.clear();
  const { problems } = gateway;
  gateway.close();
  return problems;
}

/** A token wrapper whose claims name this user. */
export function tokenOf(claims: UserClaims, refreshToken = "refresh-1"): TokenWrapper {
  const payload = btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(claims))));
  return { access_token: `header.${payload}.${crypto.randomUUID()}`, refresh_token: refreshToken, token_type: "Bearer", expires_in: 900 };
}

/** What the next token says of the user. */
export function setClaims(claims: Partial<UserClaims>): void {
  signedIn = { ...signedIn, ...claims };
}

interface OpenScreen {
  /** How the session ended; null while it holds. */
  ended: SessionEnd | null;
}

/** Opens the application at an address, as somebody who is signed in. A second time within a test it is a page load of the same tab. */
export async function openScreen(address: string, claims: Partial<UserClaims> = {}): Promise<OpenScreen> {
  leavePage();
  const user = { ...ada, ...claims };
  signedIn = user;
  const opened: OpenScreen = { ended: null };
  const session = new Session({
    storage: sessionStorageIn({ storage: sessionStorage, setCookie: () => {}, secure: false }),
    openTabs: () => ({
      ask: () => Promise.resolve(null),
      tell: () => {},
      setSignedIn: () => {},
      alone: (run) => run(),
      close: () => {},
    }),
    refresh: (refreshToken) => call(auth.refresh, { body: { refreshToken } }),
    endOnServer: (refreshToken) => call(auth.logout, { body: { refreshToken } }),
    ended: (how) => {
      opened.ended = how;
    },
  });
  setTokenSource(session);
  setCurrentSession(session);
  history.replaceState(null, "", address);
  session.signIn(tokenOf(user), { leaving: false });
  await Promise.all([loadPortalSettings(), loadUiConfig()]);
  adoptTabMemory(user.preferred_username);
  const router = openRouter();
  closeRouter = () => router.history.destroy();
  mount(<App router={router} />);
  return opened;
}

/** Shows this on the page, until the next page load. */
export function mount(app: ReactNode): void {
  root?.unmount();
  document.body.replaceChildren();
  const element = document.createElement("div");
  element.id = "root";
  document.body.append(element);
  root = createRoot(element);
  root.render(app);
}

/** Loads the page again, as the same user. */
export const reloadScreen = (): Promise<OpenScreen> => openScreen(location.pathname + location.search + location.hash, signedIn);
