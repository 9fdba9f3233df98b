import { everyone } from "@fairway/contract/access";
import { type AdministeredType, entityTypes } from "@fairway/contract/entity-types";
import { IconBell } from "#ui/icons/bell.ts";
import { IconBellRinging } from "#ui/icons/bell-ringing.ts";
import { IconDatabase } from "#ui/icons/database.ts";
import { IconFolder } from "#ui/icons/folder.ts";
import { IconGitCompare } from "#ui/icons/git-compare.ts";
import { IconGitPullRequest } from "#ui/icons/git-pull-request.ts";
import { IconHelpCircle } from "#ui/icons/help-circle.ts";
import { IconId } from "#ui/icons/id.ts";
import { IconKey } from "#ui/icons/key.ts";
import { IconLayoutDashboard } from "#ui/icons/layout-dashboard.ts";
import { IconListSearch } from "#ui/icons/list-search.ts";
import { IconLock } from "#ui/icons/lock.ts";
import { IconRobot } from "#ui/icons/robot.ts";
import { IconUser } from "#ui/icons/user.ts";
import { IconVideo } from "#ui/icons/video.ts";
import type { IconComponent } from "#ui/icons/icon.ts";
import type { ComponentType } from "react";
import type { flowPages } from "#features/flows/flow-pages.ts";
import { isLinkDisabled } from "#lib/disabled-links.ts";

interface ScreenDescription {
  readonly path: `/${string}`;
  /** Other addresses of the screen. */
  readonly aliases?: readonly `/${string}`[];
  /** The role that may open it; for all others it does not exist. Default: everyone signed in. */
  readonly role?: string;
  /** The rail group it belongs to. */
  readonly group: "search" | "docs" | "tools" | "niflow" | "power" | "profile";
  /** Parameters of the path that are ids. The address is unknown if one of them is no integer. Decision 0457. */
  readonly idParams?: readonly string[];
  /** Its entry in the menu, ordered by label within the group. Default: none. */
  readonly label?: string;
  readonly icon?: IconComponent;
  /** Listed in the palette only. */
  readonly isOffPanel?: true;
  /** The name of the lazy part that contains it. */
  readonly part: string;
}

export interface Screen extends ScreenDescription {
  /** Loads the page component on first use. */
  readonly load: () => Promise<ComponentType>;
}

const screen = <const Description extends ScreenDescription>(
  description: Description,
  load: () => Promise<ComponentType>,
): Description & Pick<Screen, "load"> => ({ ...description, load });

/** The screen of an entity type. */
const entityScreen = (type: AdministeredType): Screen => ({
  path: entityTypes[type].address,
  role: "admin",
  group: "power",
  label: entityTypes[type].title,
  part: "administration",
  load: async () => (await import("#features/admin/entity-page.tsx")).EntityPage,
});

const loadFlowPage = (page: keyof typeof flowPages) => async (): Promise<ComponentType> =>
  (await import("#features/flows/flow-pages.ts")).flowPages[page]();

type EntityScreens = {
  readonly [Type in AdministeredType as (typeof entityTypes)[Type]["screen"]]: Screen & {
    readonly path: (typeof entityTypes)[Type]["address"];
  };
};

const entityScreens = Object.fromEntries(
  (Object.keys(entityTypes) as AdministeredType[]).map((type) => [entityTypes[type].screen, entityScreen(type)]),
) as EntityScreens;

/** Every screen by its route name. Routes, menu, palette and access derive from this list. */
export const screens = {
  UnifiedDatasets: screen(
    {
      path: "/search",
      aliases: ["/datasets", "/reports", "/external-datasets"],
      group: "search",
      label: "Datasets",
      icon: IconDatabase,
      part: "datasets",
    },
    async () => (await import("#features/search/datasets/datasets-page.tsx")).DatasetsPage,
  ),
  SearchResults: screen(
    { path: "/search/$searchId", group: "search", part: "results" },
    async () => (await import("#features/search/results/results-page.tsx")).ResultsPage,
  ),
  Boards: screen(
    { path: "/boards", group: "search", label: "Boards", icon: IconLayoutDashboard, part: "boards" },
    async () => (await import("#features/search/boards/boards-page.tsx")).BoardsPage,
  ),
  Board: screen(
    { path: "/boards/$boardId", group: "search", part: "board" },
    async () => (await import("#features/search/boards/board-page.tsx")).BoardPage,
  ),
  Alerts: screen(
    { path: "/alerts", group: "search", label: "Alerts", icon: IconBellRinging, part: "alerts" },
    async () => (await import("#features/search/alerts/alerts-page.tsx")).AlertsPage,
  ),
  Filesets: screen(
    { path: "/filesets", aliases: ["/files"], group: "search", label: "Filesets", icon: IconFolder, part: "filesets" },
    async () => (await import("#features/files/filesets-page.tsx")).FilesetsPage,
  ),
  SchemaDiscovery: screen(
    {
      path: "/data-catalog",
      aliases: ["/metadata"],
      group: "search",
      label: "Data Catalog",
      icon: IconListSearch,
      part: "catalog",
    },
    async () => (await import("#features/catalog/list/catalog-page.tsx")).CatalogPage,
  ),
  DatasetSchema: screen(
    { path: "/data-catalog/$datasetCategory/$datasetId", group: "search", part: "schema" },
    async () => (await import("#features/catalog/schema/schema-page.tsx")).SchemaPage,
  ),
  DatasetUse: screen(
    { path: "/data-catalog/$datasetCategory/$datasetId/use", group: "search", part: "use" },
    async () => (await import("#features/catalog/use/use-page.tsx")).UsePage,
  ),
  FAQ: screen(
    { path: "/FAQ", group: "docs", label: "FAQ", icon: IconHelpCircle, part: "faq" },
    async () => (await import("#features/help/faq-page.tsx")).FaqPage,
  ),
  TutorialVideos: screen(
    { path: "/tutorials", group: "docs", label: "Tutorial Videos", icon: IconVideo, part: "tutorials" },
    async () => (await import("#features/help/tutorials-page.tsx")).TutorialsPage,
  ),
  ExternalView: screen(
    { path: "/external/$name", group: "docs", part: "external-view" },
    async () => (await import("#features/help/external-page.tsx")).ExternalPage,
  ),
  Tools: screen({ path: "/tools", group: "tools", part: "tools" }, async () => (await import("#features/tools/tools-page.tsx")).ToolsPage),
  NiFlowFlows: screen(
    { path: "/niflow-flows", group: "niflow", label: "Flows", icon: IconGitPullRequest, part: "flows" },
    loadFlowPage("list"),
  ),
  MainFlowHistory: screen(
    { path: "/niflow-flows/$groupName/$flowId", idParams: ["flowId"], group: "niflow", part: "flow-history" },
    loadFlowPage("history"),
  ),
  NiFlowRequests: screen(
    { path: "/niflow-requests", group: "niflow", label: "Flow Requests", icon: IconGitCompare, part: "flow-requests" },
    loadFlowPage("requests"),
  ),
  FlowRequest: screen(
    { path: "/niflow-requests/$groupName/$flowId/$requestId", idParams: ["flowId", "requestId"], group: "niflow", part: "flow-request" },
    loadFlowPage("request"),
  ),
  UserProfile: screen(
    { path: "/user-profile", group: "profile", label: "About", icon: IconUser, part: "profile" },
    async () => (await import("#features/account/profile-page.tsx")).ProfilePage,
  ),
  ChangePassword: screen(
    { path: "/change-password", group: "profile", label: "Update Password", icon: IconLock, part: "password" },
    async () => (await import("#features/account/password-page.tsx")).PasswordPage,
  ),
  SignInMethods: screen(
    { path: "/sign-in-methods", group: "profile", part: "sign-in-methods" },
    async () => (await import("#features/account/methods-page.tsx")).SignInMethodsPage,
  ),
  ApiKeys: screen(
    { path: "/keys", group: "profile", label: "API Keys", icon: IconKey, part: "api-keys" },
    async () => (await import("#features/account/keys-page.tsx")).KeysPage,
  ),
  Assistants: screen(
    { path: "/assistants", group: "profile", label: "Assistants", icon: IconRobot, isOffPanel: true, part: "assistants" },
    async () => (await import("#features/account/assistants-page.tsx")).AssistantsPage,
  ),
  ManageCac: screen(
    { path: "/manage-cac", group: "profile", label: "Manage CAC", icon: IconId, part: "cac" },
    async () => (await import("#features/account/cac-page.tsx")).CacPage,
  ),
  Notices: screen(
    { path: "/notices", group: "profile", label: "Notices", icon: IconBell, part: "notices" },
    async () => (await import("#features/notices/notices-page.tsx")).NoticesPage,
  ),
  About: screen(
    { path: "/about", role: "admin", group: "power", label: "About", part: "about" },
    async () => (await import("#features/admin/about-page.tsx")).AboutPage,
  ),
  Auditing: screen(
    { path: "/auditing", role: "admin", group: "power", label: "Audit Logs", part: "auditing" },
    async () => (await import("#features/auditing/auditing-page.tsx")).AuditingPage,
  ),
  ReceivedFeedback: screen(
    { path: "/feedback-settings", role: "admin", group: "power", label: "Feedback", isOffPanel: true, part: "feedback" },
    async () => (await import("#features/feedback/feedback-admin-page.tsx")).FeedbackAdminPage,
  ),
  AllApiKeys: screen(
    { path: "/key-settings", role: "admin", group: "power", label: "API Keys of all users", isOffPanel: true, part: "all-keys" },
    async () => (await import("#features/admin/all-keys-page.tsx")).AllKeysPage,
  ),
  AllAlerts: screen(
    { path: "/alert-settings", role: "admin", group: "power", label: "Alerts of all users", isOffPanel: true, part: "all-alerts" },
    async () => (await import("#features/admin/all-alerts-page.tsx")).AllAlertsPage,
  ),
  ...entityScreens,
} as const;

export type ScreenName = keyof typeof screens;

/** The path of a screen without parameters. */
export type ScreenPath = Exclude<(typeof screens)[ScreenName]["path"], `${string}$${string}`>;

export const screenNamed = (name: ScreenName): Screen => screens[name];

/** The role that may open a screen; `*` for everyone signed in. */
export const roleOf = (name: ScreenName): string => screenNamed(name).role ?? everyone;

/** Maps an alias to the path of its route, keeping the rest of the path. The browser's address stays unchanged. */
export function canonicalPath(pathname: string): string {
  for (const { path, aliases = [] } of Object.values<Screen>(screens)) {
    for (const alias of aliases) {
      if (pathname === alias || pathname.startsWith(`${alias}/`)) return path + pathname.slice(alias.length);
    }
  }
  return pathname;
}

// The start screen and the fallback of every other address.
const neverDisabled: ReadonlySet<ScreenName> = new Set(["UnifiedDatasets"]);

/** Whether the operator has disabled a screen. */
export const isDisabled = (name: ScreenName, disabledLinks: readonly string[]): boolean =>
  !neverDisabled.has(name) && isLinkDisabled({ name, ...screenNamed(name) }, disabledLinks);

/** Whether the operator has disabled an external page, by its name or path, or all of them. */
export const isPageDisabled = (name: string, disabledLinks: readonly string[]): boolean =>
  isDisabled("ExternalView", disabledLinks) || isLinkDisabled({ name, path: `/external/${name}` }, disabledLinks);

// In the range of ids, which begin with 1 and have at most ten digits.
const idText = /^[1-9]\d{0,9}$/;

/** Whether all ids in the path of a screen are integers. */
export const hasIds = (name: ScreenName, params: Readonly<Record<string, unknown>>): boolean =>
  (screenNamed(name).idParams ?? []).every((param) => idText.test(String(params[param])));
