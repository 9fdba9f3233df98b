import { auth, type TokenWrapper, type UserClaims } from "@fairway/contract/auth";
import { boards } from "@fairway/contract/boards";
import { datasetAnnouncements } from "@fairway/contract/dataset-announcements";
import { datasetQualities } from "@fairway/contract/dataset-quality";
import { docs } from "@fairway/contract/docs";
import { filesets } from "@fairway/contract/filesets";
import { flows } from "@fairway/contract/flows";
import { graphTemplates } from "@fairway/contract/graph-templates";
import { health } from "@fairway/contract/health";
import { live } from "@fairway/contract/live";
import { ownDatasets } from "@fairway/contract/own-datasets";
import { notices } from "@fairway/contract/notices";
import { notifications } from "@fairway/contract/notifications";
import { preferences, type PreferenceValue } from "@fairway/contract/preferences";
import { savedSearches } from "@fairway/contract/saved-searches";
import { subscriptions } from "@fairway/contract/subscriptions";
import { settings, type UiConfig } from "@fairway/contract/settings";
import { cleanNotifications } from "@mantine/notifications";
import type { ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { adoptBrowserMemory, forgetBrowserMemory } from "#lib/browser/browser-memory.ts";
import { call, setTokenSource } from "#lib/gateway/call.ts";
import { defaultPortalSettings, loadPortalSettings, loadUiConfig } from "#lib/gateway/portal-settings.ts";
import { watchDrafts } from "#lib/browser/drafts.ts";
import { openPreferences } from "#lib/gateway/preferences.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { setCurrentSession } from "#lib/session/current-session.ts";
import { Session, type SessionEnd } from "#lib/session/session.ts";
import { createSessionStorage } from "#lib/session/session-storage.ts";
import { adoptTabMemory, forgetTabMemory } from "#lib/browser/tab-memory.ts";
import { openRouter } from "#router.tsx";
import { App } from "#shell/app.tsx";
import { ContractGateway } from "./contract-gateway.ts";
import { serveDatasets } from "./demo-datasets.ts";
import { noOwnData } from "./own-data.ts";
import { resetStores } from "./zustand.ts";

/** The default signed-in user. */
export const ada: UserClaims = {
  sub: "u-ada",
  preferred_username: "ada",
  name: "Ada Lovelace",
  given_name: "Ada",
  family_name: "Lovelace",
  email: "ada@fairway.example",
  roles: [],
};

/** The default UI configuration. */
export const uiConfig: UiConfig = {
  appTitle: "",
  appSubtitle: "",
  feedbackEnabled: true,
  availableTorchServices: [],
  downloadableTools: [],
  cac: null,
  oidc: null,
};

/** Answers the calls of the opened screen. */
export const gateway = new ContractGateway();
let signedInUser = ada;
let openSession: Session | null = null;
let root: Root | null = null;
let closeRouter = () => {};

/** Prepares the answers that every screen needs, and serves the datasets of the demo. */
export function prepareApp(): void {
  gateway.open();
  serveDatasets(gateway);
  gateway.answer(settings.portal, defaultPortalSettings);
  gateway.answer(settings.ui, uiConfig);
  gateway.answer(health.live, { status: "ok" });
  gateway.answer(docs.list, []);
  gateway.answer(filesets.download, "[]");
  gateway.answer(boards.list, []);
  gateway.answer(datasetAnnouncements.list, []);
  gateway.answer(datasetAnnouncements.listAll, []);
  gateway.answer(datasetQualities.list, []);
  gateway.answer(datasetQualities.listAll, []);
  gateway.answer(datasetQualities.read, { state: "unknown", measuredMs: null, issues: [], thresholds: null, changes: [] });
  gateway.refuse(live.stream, "not-found", "This gateway has no live changes.");
  gateway.answer(notices.fresh, []);
  gateway.answer(notifications.list, { notifications: [], unread: 0, total: 0, hasMore: false });
  gateway.answer(flows.groups, []);
  gateway.answer(filesets.list, []);
  gateway.answer(savedSearches.list, []);
  gateway.answer(subscriptions.list, { subscriptions: [], emailAddress: "ada@example.org", sendsEmail: true, allowsRows: false });
  gateway.answer(graphTemplates.list, []);
  gateway.answer(ownDatasets.list, noOwnData);
  const chosen = new Map<string, PreferenceValue>();
  gateway.answer(preferences.list, () => Array.from(chosen, ([key, value]) => ({ key, value })));
  gateway.answer(preferences.save, ({ params: { key }, body: { value } }) => {
    chosen.set(key, value);
    return { key, value };
  });
  gateway.answer(preferences.remove, ({ params: { key } }) => void chosen.delete(key));
  gateway.answer(auth.refresh, () => tokenOf(signedInUser));
  gateway.answer(auth.logout, undefined);
}

/** Unmounts the app and resets everything that a page load resets. */
function leavePage(): void {
  dispatchEvent(new Event("pagehide"));
  // A page that is left unmounts nothing, so nothing that unmounting does changes what is stored.
  const storages = [sessionStorage, localStorage].map((storage) => [storage, Object.entries(storage) as [string, string][]] as const);
  openSession = null;
  root?.unmount();
  root = null;
  closeRouter();
  closeRouter = () => {};
  document.body.replaceChildren();
  cancelAnimationFrames();
  cleanNotifications();
  queryClient.clear();
  forgetTabMemory();
  forgetBrowserMemory();
  resetStores();
  for (const [storage, stored] of storages) for (const [key, value] of stored) storage.setItem(key, value);
}

/**
 * Ends loops of animation frames. Mantine leaves one running for good if a list is unmounted right after it scrolled, and the
 * page would render 60 times a second through all tests that follow.
 */
function cancelAnimationFrames(): void {
  const latest = requestAnimationFrame(() => {});
  for (let id = Math.max(0, latest - 500); id <= latest; id += 1) cancelAnimationFrame(id);
}

/** Unmounts the app and clears its storage. Returns the unexpected or invalid calls. */
export function resetApp(): readonly string[] {
  leavePage();
  sessionStorage.clear();
  localStorage.clear();
  const { problems } = gateway;
  gateway.close();
  return problems;
}

/** A token wrapper with these user claims. */
export function tokenOf(claims: UserClaims, refreshToken = "refresh-1"): TokenWrapper {
  const payload = btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(claims))));
  return { access_token: `header.${payload}.${crypto.randomUUID()}`, refresh_token: refreshToken, token_type: "Bearer", expires_in: 900 };
}

/** Changes the user's claims in the next token. */
export function setClaims(claims: Partial<UserClaims>): void {
  signedInUser = { ...signedInUser, ...claims };
}

interface OpenScreen {
  /** Why the session ended; null while it is active. */
  ended: SessionEnd | null;
}

/** Opens the application at an address as a signed-in user. A second call within a test is a page load in the same tab. */
export async function openScreen(address: string, claims: Partial<UserClaims> = {}): Promise<OpenScreen> {
  leavePage();
  const user = { ...ada, ...claims };
  signedInUser = user;
  const opened: OpenScreen = { ended: null };
  const session = new Session({
    storage: createSessionStorage({ storage: sessionStorage, setCookie: () => {}, secure: false }),
    openTabs: () => ({
      requestSession: () => Promise.resolve(null),
      broadcast: () => {},
      setSignedIn: () => {},
      runExclusive: (run) => run(),
      close: () => {},
    }),
    // The timers of a page that is left end with it. Here they go on, and minutes later would take an answer meant for another test.
    refresh: (refreshToken) => (session === openSession ? call(auth.refresh, { body: { refreshToken } }) : new Promise(() => {})),
    endOnServer: async ({ stored }) => {
      await call(auth.logout, { body: { refreshToken: stored.refresh_token } });
      return null;
    },
    onEnd: (reason) => {
      opened.ended = reason;
    },
  });
  openSession = session;
  setTokenSource(session);
  setCurrentSession(session);
  history.replaceState(null, "", address);
  session.signIn(tokenOf(user), { leaving: false });
  adoptTabMemory(user.preferred_username);
  watchDrafts();
  adoptBrowserMemory(user);
  await Promise.all([loadPortalSettings(), loadUiConfig(), openPreferences(user)]);
  const router = openRouter();
  closeRouter = () => {
    router.history.flush();
    router.history.destroy();
    // Of a page that is left, work that ends later navigates no more.
    Object.assign(router.history, { push: () => {}, replace: () => {} });
  };
  mount(<App router={router} />);
  return opened;
}

/** Renders an element on the page until the next page load. */
export function mount(app: ReactNode): void {
  root?.unmount();
  document.body.replaceChildren();
  const element = document.createElement("div");
  element.id = "root";
  document.body.append(element);
  root = createRoot(element);
  root.render(app);
}

/** Reloads the page as the same user. */
export const reloadScreen = (): Promise<OpenScreen> => openScreen(location.pathname + location.search + location.hash, signedInUser);
