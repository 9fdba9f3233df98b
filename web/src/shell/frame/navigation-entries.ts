import type { PortalSettings, UiConfig } from "@fairway/contract/settings";
import type { DownloadableTool } from "@fairway/contract/tools";
import type { IconComponent } from "#ui/icons/icon.ts";
import type { ScreenName, ScreenPath } from "#lib/screens/screen-table.ts";

/** The entry of a screen. */
export interface ScreenEntry {
  screen: ScreenName;
  label: string;
  to: ScreenPath;
  icon?: IconComponent;
  /** The role that sees it; `*` for everyone signed in. */
  role: string;
}

/** The entry of an external page, which opens in an external view. */
export interface ExternalPageEntry {
  page: string;
  label: string;
  faIcon?: string | undefined;
  role: string;
}

/** The entry of a supplemental help file, which opens over the screen. */
export interface HelpFileEntry {
  helpFile: string;
  label: string;
  role: string;
}

/** The entry of a tool, which opens the tools screen. */
export interface ToolEntry {
  /** Its name in addresses. */
  tool: string;
  label: string;
  toolIcon: DownloadableTool["icon"];
  role: string;
}

/** An entry of the second panel. */
export type NavigationEntry = ScreenEntry | ExternalPageEntry | HelpFileEntry | ToolEntry;

/** A group of the rail with its entries in order. */
export interface NavigationGroup<Entry = NavigationEntry> {
  id: string;
  label: string;
  icon: IconComponent;
  entries: readonly Entry[];
  /** Has no item in the rail; its entries are shown while one of its screens is open. */
  offRail?: true;
}

/** Facts that the menu of a user depends on. */
export interface NavigationContext {
  roles: readonly string[];
  settings: Pick<PortalSettings, "disabledLinks" | "externalPages" | "supplementalHelp">;
  ui: Pick<UiConfig, "cac" | "downloadableTools"> | null;
  hasTutorials: boolean;
  /** The user is a member of a flow group. */
  isFlowMember: boolean;
  /** The account has no password. */
  isPasswordless?: boolean;
}
