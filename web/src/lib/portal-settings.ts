import { defaultLimits, type Limits } from "@fairway/contract/limits";
import { type PortalSettings, settings, uiConfig, type UiConfig } from "@fairway/contract/settings";
import { create } from "zustand";
import { call } from "./call.ts";
import { logFailure } from "./log.ts";

export const defaultTitle = "Fairway";
const brandingKey = "fairway.branding";

interface Portal {
  /** The operator's settings; defaults until they came. */
  settings: PortalSettings;
  /** Branding and what is on offer; null until it came, and where it never did. */
  ui: UiConfig | null;
}

/** What holds where the portal's settings file did not come. */
export const defaultPortalSettings: PortalSettings = {
  disabledLinks: [],
  banner: null,
  externalPages: [],
  supplementalHelp: [],
  helpFilesetId: "help",
  tools: [],
  mapTiles: null,
  limits: defaultLimits,
  passwordRules: "specification",
  demo: false,
};

export const usePortal = create<Portal>(() => ({ settings: defaultPortalSettings, ui: null }));

export const usePortalSettings = (): PortalSettings => usePortal((portal) => portal.settings);
export const useLimits = (): Limits => usePortal((portal) => portal.settings.limits);
/** The same outside of components. */
export const currentLimits = (): Limits => usePortal.getState().settings.limits;

/** Loads the settings file. A failure is only logged: the defaults hold. */
export async function loadPortalSettings(): Promise<void> {
  try {
    usePortal.setState({ settings: await call(settings.portal, {}) });
  } catch (cause) {
    logFailure("The portal's settings could not be loaded", cause);
  }
}

/** Loads the branding and names the document by it. A failure is only logged: what this browser was told last stays. */
export async function loadUiConfig(): Promise<void> {
  const last = remembered();
  nameDocument(last);
  try {
    const ui = await call(settings.ui, {});
    usePortal.setState({ ui });
    nameDocument(ui);
    remember(ui);
  } catch (cause) {
    usePortal.setState({ ui: last });
    logFailure("The UI configuration could not be loaded", cause);
  }
}

function nameDocument(ui: UiConfig | null): void {
  document.title = ui === null || ui.appTitle === "" ? defaultTitle : ui.appTitle;
}

// Kept over logout and reload, so that the title never flashes the product's name first. It is public, and nobody's own.
function remembered(): UiConfig | null {
  try {
    return uiConfig.safeParse(JSON.parse(localStorage.getItem(brandingKey) ?? "null")).data ?? null;
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return null;
    throw error;
  }
}

function remember(ui: UiConfig): void {
  try {
    localStorage.setItem(brandingKey, JSON.stringify(ui));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
