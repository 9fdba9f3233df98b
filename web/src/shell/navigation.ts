import { everyone, passesRole } from "@fairway/contract/access";
import {
  IconBell,
  IconDatabase,
  IconId,
  IconKey,
  IconLock,
  IconSearch,
  IconSettings,
  IconUser,
  type TablerIcon,
} from "@tabler/icons-react";
import type { UiConfig } from "@fairway/contract/settings";
import { type AdminScreen, isDisabled, type ScreenName, type ScreenPath, screens } from "#lib/screens.ts";

/** A line of the second panel. */
export interface NavigationEntry {
  screen: ScreenName;
  label: string;
  to: ScreenPath;
  icon?: TablerIcon;
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

const forAdmins = (label: string, screen: AdminScreen): NavigationEntry => ({ screen, label, to: screens[screen].path, role: "admin" });

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
    // In the specification's order.
    entries: [
      forAdmins("About", "About"),
      forAdmins("Audit Logs", "Auditing"),
      forAdmins("Configuration", "ConfigurationSettings"),
      forAdmins("Docs", "DocSettings"),
      forAdmins("Ecosystems", "EcosystemSettings"),
      forAdmins("External Datasets", "ExternalDatasetSettings"),
      forAdmins("Filesets", "FilesetSettings"),
      forAdmins("Flow Environments", "FlowEnvironmentSettings"),
      forAdmins("Flow Groups", "FlowGroupSettings"),
      forAdmins("Groups", "GroupSettings"),
      forAdmins("Information Notices", "NoticeSettings"),
      forAdmins("Internal Datasets", "InternalDatasetSettings"),
      forAdmins("Jolt Specifications", "JoltSpecificationSettings"),
      forAdmins("Roles", "RoleSettings"),
      forAdmins("Torch Services", "TorchServiceSettings"),
      forAdmins("Users", "UserSettings"),
    ],
  },
  {
    id: "profile",
    label: "Profile",
    icon: IconUser,
    offRail: true,
    entries: [
      { screen: "UserProfile", label: "About", to: "/user-profile", icon: IconUser, role: everyone },
      { screen: "ApiKeys", label: "API Keys", to: "/keys", icon: IconKey, role: everyone },
      { screen: "ManageCac", label: "Manage CAC", to: "/manage-cac", icon: IconId, role: everyone },
      { screen: "Notices", label: "Notices", to: "/notices", icon: IconBell, role: everyone },
      { screen: "ChangePassword", label: "Update Password", to: "/change-password", icon: IconLock, role: everyone },
    ],
  },
];

/** Screens that the panels do not name; the palette does. */
export const offPanel: readonly NavigationGroup[] = [
  {
    id: "power",
    label: "Power",
    icon: IconSettings,
    entries: [forAdmins("Feedback", "ReceivedFeedback"), forAdmins("API Keys of all users", "AllApiKeys")],
  },
];

/** What a user with these roles sees, of what this installation has: cards need an issuer. A group without an entry left is not there at all. */
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
