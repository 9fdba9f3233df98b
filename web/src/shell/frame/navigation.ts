import { everyone, passesRole } from "@fairway/contract/access";
import { type DownloadableTool, toolName } from "@fairway/contract/tools";
import { IconBook } from "#ui/icons/book.ts";
import { IconGitPullRequest } from "#ui/icons/git-pull-request.ts";
import { IconSearch } from "#ui/icons/search.ts";
import { IconSettings } from "#ui/icons/settings.ts";
import { IconTools } from "#ui/icons/tools.ts";
import { IconUser } from "#ui/icons/user.ts";
import { isScreenDisabled } from "#lib/screens/disabled-screens.ts";
import { sortedTools } from "#lib/screens/downloadable-tools.ts";
import { screenNamed, type ScreenName, type ScreenPath, screenTable } from "#lib/screens/screen-table.ts";
import type {
  ExternalPageEntry,
  HelpFileEntry,
  NavigationContext,
  NavigationEntry,
  NavigationGroup,
  ScreenEntry,
  ToolEntry,
} from "./navigation-entries.ts";
import { providePaletteScreens } from "../palette/palette-screens.ts";
import { isPageDisabled, roleOf, screenParts } from "../screens.ts";

const entries = (Object.keys(screenTable) as ScreenName[]).flatMap((screen) => {
  const { path, group, label, isOffPanel = false } = screenNamed(screen);
  const { icon } = screenParts(screen);
  if (label === undefined) return [];
  // Screens with a parameter in their path have no label.
  const entry: ScreenEntry = { screen, label, to: path as ScreenPath, role: roleOf(screen), ...(icon ? { icon } : {}) };
  return [{ group, isOffPanel, entry }];
});

const entriesOf = (id: string): ScreenEntry[] =>
  entries
    .filter(({ group, isOffPanel }) => group === id && !isOffPanel)
    .map(({ entry }) => entry)
    .sort((one, other) => orderOf(one) - orderOf(other) || one.label.localeCompare(other.label, "en"));

const offPanelEntriesOf = (id: string): ScreenEntry[] =>
  entries.filter(({ group, isOffPanel }) => group === id && isOffPanel).map(({ entry }) => entry);

/** These are the first entries of their group; all others follow by label. */
const first: readonly ScreenName[] = ["UnifiedDatasets", "Filesets", "NiFlowFlows"];

const orderOf = ({ screen }: ScreenEntry): number => (first.includes(screen) ? first.indexOf(screen) : first.length);

const power = { id: "power", label: "Power", icon: IconSettings };
const profile = { id: "profile", label: "Profile", icon: IconUser };

export const navigation: readonly NavigationGroup<ScreenEntry>[] = [
  { id: "search", label: "Search", icon: IconSearch, entries: entriesOf("search") },
  { id: "docs", label: "Docs", icon: IconBook, entries: entriesOf("docs") },
  { id: "tools", label: "Tools", icon: IconTools, entries: entriesOf("tools") },
  { id: "niflow", label: "NiFlow", icon: IconGitPullRequest, entries: entriesOf("niflow") },
  { ...power, entries: entriesOf("power") },
  { ...profile, offRail: true, entries: entriesOf("profile") },
];

/** Screens listed in the palette but not in a panel. */
export const offPanel: readonly NavigationGroup<ScreenEntry>[] = [
  { ...power, entries: offPanelEntriesOf("power") },
  { ...profile, entries: offPanelEntriesOf("profile") },
];

/**
 * The groups and entries visible to a user. Help files and external pages follow the screens of their group, and
 * Tools has one entry per tool. NiFlow is for members of a flow group, Update Password for accounts with a password, Manage CAC
 * as well and needs a configured issuer, Tutorial Videos a video. Groups without entries are omitted.
 */
export function visibleNavigation(
  groups: readonly NavigationGroup<ScreenEntry>[],
  { roles, settings, ui, hasTutorials, isFlowMember, isPasswordless = false }: NavigationContext,
): NavigationGroup[] {
  const isOffered = ({ screen }: ScreenEntry) =>
    !isScreenDisabled(screen, settings.disabledLinks) &&
    (screen !== "ManageCac" || (Boolean(ui?.cac) && !isPasswordless)) &&
    (screen !== "ChangePassword" || !isPasswordless) &&
    (screen !== "TutorialVideos" || hasTutorials);
  return groups
    .map((group) => ({
      ...group,
      entries: [...group.entries.filter(isOffered), ...configuredEntries(group.id, { settings, ui })].filter(({ role }) =>
        passesRole(roles, role),
      ),
    }))
    .filter(({ id, entries }) => entries.length > 0 && (id !== "niflow" || isFlowMember));
}

function configuredEntries(group: string, { settings, ui }: Pick<NavigationContext, "settings" | "ui">): NavigationEntry[] {
  const { supplementalHelp, externalPages, disabledLinks } = settings;
  if (group === "tools") return isScreenDisabled("Tools", disabledLinks) ? [] : toolEntries(ui?.downloadableTools ?? []);
  const helpFiles: HelpFileEntry[] =
    group === "docs" ? supplementalHelp.map(({ name, display }) => ({ helpFile: name, label: display, role: everyone })) : [];
  const pages: ExternalPageEntry[] = externalPages
    .filter(({ name, navBar }) => navBar === group && !isPageDisabled(name, disabledLinks))
    .map(({ name, displayName, faIcon, role }) => ({ page: name, label: displayName, faIcon, role }));
  return [...helpFiles, ...pages];
}

const toolEntries = (tools: readonly DownloadableTool[]): ToolEntry[] =>
  sortedTools(tools).map(({ display, icon }) => ({ tool: toolName(display), label: display, toolIcon: icon, role: everyone }));

providePaletteScreens((context) => [...visibleNavigation(navigation, context), ...visibleNavigation(offPanel, context)]);
