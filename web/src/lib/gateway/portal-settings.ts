import { defaultLimits, type Limits } from "@fairway/contract/limits";
import { type PortalSettings, settings, uiConfig, type UiConfig } from "@fairway/contract/settings";
import { create } from "zustand";
import { call } from "./call.ts";
import { logFailure } from "../browser/log.ts";

export const defaultTitle = "Fairway";
const brandingKey = "fairway.branding";

interface Portal {
  /** The operator's settings; defaults until they are loaded. */
  settings: PortalSettings;
  /** Branding and enabled features; null until loaded, or if loading failed. */
  ui: UiConfig | null;
}

/** Used until the portal settings are loaded, or if loading fails. */
export const defaultPortalSettings: PortalSettings = {
  disabledLinks: [],
  banner: null,
  externalPages: [],
  supplementalHelp: [],
  helpFilesetId: "help",
  tools: [],
  mapTiles: null,
  mapFile: null,
  limits: defaultLimits,
  passwordRules: "specification",
  scansUploads: false,
  demo: false,
};

export const usePortal = create<Portal>(() => ({ settings: defaultPortalSettings, ui: null }));

export const usePortalSettings = (): PortalSettings => usePortal((portal) => portal.settings);
export const useLimits = (): Limits => usePortal((portal) => portal.settings.limits);
/** `useLimits` outside of components. */
export const currentLimits = (): Limits => usePortal.getState().settings.limits;

/** Loads the settings file. A failure is only logged and leaves the defaults. */
export async function loadPortalSettings(): Promise<void> {
  try {
    usePortal.setState({ settings: await call(settings.portal, {}) });
  } catch (cause) {
    logFailure("The portal's settings could not be loaded", cause);
  }
}

/** Loads the branding and sets the document title. A failure is only logged and leaves the branding this browser cached last. */
export async function loadUiConfig(): Promise<void> {
  const cached = readCachedUiConfig();
  setDocumentTitle(cached);
  try {
    const ui = await call(settings.ui, {});
    usePortal.setState({ ui });
    setDocumentTitle(ui);
    cacheUiConfig(ui);
  } catch (cause) {
    usePortal.setState({ ui: cached });
    logFailure("The UI configuration could not be loaded", cause);
  }
}

function setDocumentTitle(ui: UiConfig | null): void {
  document.title = ui === null || ui.appTitle === "" ? defaultTitle : ui.appTitle;
}

// Survives logout and reload, so that the title does not flash the product's name first. Branding is public, not user data.
function readCachedUiConfig(): UiConfig | null {
  try {
    return uiConfig.safeParse(JSON.parse(localStorage.getItem(brandingKey) ?? "null")).data ?? null;
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return null;
    throw error;
  }
}

function cacheUiConfig(ui: UiConfig): void {
  try {
    localStorage.setItem(brandingKey, JSON.stringify(ui));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
