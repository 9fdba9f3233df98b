import { everyone, passesRole } from "@fairway/contract/access";
import {
  IconBell,
  IconClipboardList,
  IconDatabase,
  IconKey,
  IconLock,
  IconSearch,
  IconSettings,
  IconUser,
  type TablerIcon,
} from "@tabler/icons-react";
import { isDisabled, type ScreenName, type ScreenPath } from "./screens.ts";

/** A line of the second panel. */
export interface NavigationEntry {
  screen: ScreenName;
  label: string;
  to: ScreenPath;
  icon: TablerIcon;
  /** Who sees it; `*` for everyone signed in. */
  role: string;
}

/** A group of the rail, with its lines in their order. */
export interface NavigationGroup {
  id: string;
  label: string;
  icon: TablerIcon;
  entries: readonly NavigationEntry[];
  /** Has no item in the rail: its lines show while one of its screens does. */
  offRail?: true;
}

export const navigation: readonly NavigationGroup[] = [
  {
    id: "search",
    label: "Search",
    icon: IconSearch,
    entries: [{ screen: "UnifiedDatasets", label: "Datasets", to: "/search", icon: IconDatabase, role: everyone }],
  },
  {
    id: "power",
    label: "Power",
    icon: IconSettings,
    entries: [{ screen: "Auditing", label: "Audit Logs", to: "/auditing", icon: IconClipboardList, role: "admin" }],
  },
  {
    id: "profile",
    label: "Profile",
    icon: IconUser,
    offRail: true,
    entries: [
      { screen: "UserProfile", label: "About", to: "/user-profile", icon: IconUser, role: everyone },
      { screen: "ApiKeys", label: "API Keys", to: "/keys", icon: IconKey, role: everyone },
      { screen: "Notices", label: "Notices", to: "/notices", icon: IconBell, role: everyone },
      { screen: "ChangePassword", label: "Update Password", to: "/change-password", icon: IconLock, role: everyone },
    ],
  },
];

/** What a user with these roles sees. A group without an entry left is not there at all. */
export function visibleNavigation(
  groups: readonly NavigationGroup[],
  roles: readonly string[],
  disabledLinks: readonly string[],
): NavigationGroup[] {
  return groups
    .map((group) => ({
      ...group,
      entries: group.entries.filter(({ role, screen }) => passesRole(roles, role) && !isDisabled(screen, disabledLinks)),
    }))
    .filter(({ entries }) => entries.length > 0);
}
