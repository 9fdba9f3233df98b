import { passesRole } from "@fairway/contract/access";
import type { UiConfig } from "@fairway/contract/settings";
import { IconSearch, IconSettings, IconUser, type TablerIcon } from "@tabler/icons-react";
import { providePaletteScreens } from "./palette/palette-screens.ts";
import { isDisabled, roleOf, screenNamed, type ScreenName, type ScreenPath, screens } from "./screens.ts";

/** An entry of the second panel. */
export interface NavigationEntry {
  screen: ScreenName;
  label: string;
  to: ScreenPath;
  icon?: TablerIcon;
  /** The role that sees it; `*` for everyone signed in. */
  role: string;
}

/** A group of the rail with its entries in order. */
export interface NavigationGroup {
  id: string;
  label: string;
  icon: TablerIcon;
  entries: readonly NavigationEntry[];
  /** Has no item in the rail; its entries are shown while one of its screens is open. */
  offRail?: true;
}

const entries = (Object.keys(screens) as ScreenName[]).flatMap((screen) => {
  const { path, group, label, icon, isOffPanel = false } = screenNamed(screen);
  if (label === undefined) return [];
  // Screens with a parameter in their path have no label.
  const entry: NavigationEntry = { screen, label, to: path as ScreenPath, role: roleOf(screen), ...(icon ? { icon } : {}) };
  return [{ group, isOffPanel, entry }];
});

const entriesOf = (id: string): NavigationEntry[] =>
  entries
    .filter(({ group, isOffPanel }) => group === id && !isOffPanel)
    .map(({ entry }) => entry)
    .sort((one, other) => one.label.localeCompare(other.label, "en"));

const power = { id: "power", label: "Power", icon: IconSettings };

export const navigation: readonly NavigationGroup[] = [
  { id: "search", label: "Search", icon: IconSearch, entries: entriesOf("search") },
  { ...power, entries: entriesOf("power") },
  { id: "profile", label: "Profile", icon: IconUser, offRail: true, entries: entriesOf("profile") },
];

/** Screens listed in the palette but not in a panel. */
export const offPanel: readonly NavigationGroup[] = [
  { ...power, entries: entries.filter(({ isOffPanel }) => isOffPanel).map(({ entry }) => entry) },
];

/** The groups and entries visible to a user with these roles. Manage CAC needs a configured issuer. Groups without entries are omitted. */
export function visibleNavigation(
  groups: readonly NavigationGroup[],
  roles: readonly string[],
  disabledLinks: readonly string[],
  ui: Pick<UiConfig, "cac"> | null,
): NavigationGroup[] {
  return groups
    .map((group) => ({
      ...group,
      entries: group.entries.filter(
        ({ role, screen }) => passesRole(roles, role) && !isDisabled(screen, disabledLinks) && (screen !== "ManageCac" || ui?.cac),
      ),
    }))
    .filter(({ entries }) => entries.length > 0);
}

providePaletteScreens((roles, disabledLinks, ui) => visibleNavigation([...navigation, ...offPanel], roles, disabledLinks, ui));
