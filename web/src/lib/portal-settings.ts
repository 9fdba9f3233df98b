import { defaultLimits, type Limits } from "@fairway/contract/limits";
import { type PortalSettings, settings, type UiConfig } from "@fairway/contract/settings";
import { create } from "zustand";
import { call } from "./call.ts";
import { logFailure } from "./log.ts";

export const defaultTitle = "Fairway";
const brandingKey = "fairway.branding";

interface Portal {
  /** The operator's settings; defaults until they came. */
  settings: PortalSettings;
  /** Branding and what is on offer; null until it came. */
  ui: UiConfig | null;
}

const defaults: PortalSettings = {
  disabledLinks: [],
  banner: null,
  externalPages: [],
  supplementalHelp: [],
  helpFilesetId: "help",
  tools: [],
  mapTiles: null,
  limits: defaultLimits,
  demo: false,
};

export const usePortal = create<Portal>(() => ({ settings: defaults, ui: null }));

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

/** Loads the branding and names the document by it. A failure is only logged: the last known title stays. */
export async function loadUiConfig(): Promise<void> {
  document.title = rememberedTitle() ?? defaultTitle;
  try {
    const ui = await call(settings.ui, {});
    usePortal.setState({ ui });
    document.title = ui.appTitle === "" ? defaultTitle : ui.appTitle;
    rememberTitle(document.title);
  } catch (cause) {
    logFailure("The UI configuration could not be loaded", cause);
  }
}

// Kept over logout and reload, so that the title never flashes the product's name first.
function rememberedTitle(): string | null {
  try {
    return localStorage.getItem(brandingKey);
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

function rememberTitle(title: string): void {
  try {
    localStorage.setItem(brandingKey, title);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
