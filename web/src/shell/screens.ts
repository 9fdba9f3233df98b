import { everyone } from "@fairway/contract/access";
import { IconBell } from "#ui/icons/bell.ts";
import { IconBellRinging } from "#ui/icons/bell-ringing.ts";
import { IconMail } from "#ui/icons/mail.ts";
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
import { isLinkDisabled } from "#lib/screens/disabled-links.ts";
import { isScreenDisabled } from "#lib/screens/disabled-screens.ts";
import { entityScreens, screenNamed, type ScreenName, type ScreenRow, screenTable } from "#lib/screens/screen-table.ts";

/** The part of a screen that the shell adds to its row of the table. */
interface ScreenParts {
  /** Of its entry in the menu. */
  readonly icon?: IconComponent;
  /** Loads the page component on first use: the only dynamic import of a screen. */
  readonly load: () => Promise<ComponentType>;
}

const entityParts: ScreenParts = { load: async () => (await import("#features/admin/entities/entity-page.tsx")).EntityPage };

const parts: Readonly<Record<Exclude<ScreenName, keyof typeof entityScreens>, ScreenParts>> = {
  UnifiedDatasets: { icon: IconDatabase, load: async () => (await import("#features/search/datasets/datasets-page.tsx")).DatasetsPage },
  SearchResults: { load: async () => (await import("#features/search/results/results-page.tsx")).ResultsPage },
  AddData: { load: async () => (await import("#features/add-data/add-data-page.tsx")).AddDataPage },
  Import: { load: async () => (await import("#features/add-data/import-page.tsx")).ImportPage },
  Boards: { icon: IconLayoutDashboard, load: async () => (await import("#features/search/boards/boards-page.tsx")).BoardsPage },
  Board: { load: async () => (await import("#features/search/boards/board-page.tsx")).BoardPage },
  Alerts: { icon: IconBellRinging, load: async () => (await import("#features/search/alerts/alerts-page.tsx")).AlertsPage },
  Emails: { icon: IconMail, load: async () => (await import("#features/search/subscriptions/emails-page.tsx")).EmailsPage },
  Filesets: { icon: IconFolder, load: async () => (await import("#features/files/filesets-page.tsx")).FilesetsPage },
  SchemaDiscovery: { icon: IconListSearch, load: async () => (await import("#features/catalog/list/catalog-page.tsx")).CatalogPage },
  DatasetSchema: { load: async () => (await import("#features/catalog/schema/schema-page.tsx")).SchemaPage },
  DatasetUse: { load: async () => (await import("#features/catalog/use/use-page.tsx")).UsePage },
  FAQ: { icon: IconHelpCircle, load: async () => (await import("#features/help/faq-page.tsx")).FaqPage },
  TutorialVideos: { icon: IconVideo, load: async () => (await import("#features/help/tutorials-page.tsx")).TutorialsPage },
  ExternalView: { load: async () => (await import("#features/help/external-page.tsx")).ExternalPage },
  Tools: { load: async () => (await import("#features/tools/tools-page.tsx")).ToolsPage },
  NiFlowFlows: { icon: IconGitPullRequest, load: async () => (await import("#features/flows/list/flows-page.tsx")).FlowsPage },
  MainFlowHistory: { load: async () => (await import("#features/flows/history/history-page.tsx")).HistoryPage },
  NiFlowRequests: { icon: IconGitCompare, load: async () => (await import("#features/flows/requests/requests-page.tsx")).RequestsPage },
  FlowRequest: { load: async () => (await import("#features/flows/request/request-page.tsx")).FlowRequestPage },
  UserProfile: { icon: IconUser, load: async () => (await import("#features/account/profile/profile-page.tsx")).ProfilePage },
  ChangePassword: { icon: IconLock, load: async () => (await import("#features/account/profile/password-page.tsx")).PasswordPage },
  SignInMethods: { load: async () => (await import("#features/account/sign-in-methods/methods-page.tsx")).SignInMethodsPage },
  ApiKeys: { icon: IconKey, load: async () => (await import("#features/account/api-keys/keys-page.tsx")).KeysPage },
  Assistants: { icon: IconRobot, load: async () => (await import("#features/account/assistants/assistants-page.tsx")).AssistantsPage },
  ManageCac: { icon: IconId, load: async () => (await import("#features/account/cac/cac-page.tsx")).CacPage },
  Notices: { icon: IconBell, load: async () => (await import("#features/notices/notices-page.tsx")).NoticesPage },
  About: { load: async () => (await import("#features/admin/about/about-page.tsx")).AboutPage },
  Auditing: { load: async () => (await import("#features/auditing/auditing-page.tsx")).AuditingPage },
  ReceivedFeedback: { load: async () => (await import("#features/feedback/feedback-admin-page.tsx")).FeedbackAdminPage },
  AllApiKeys: { load: async () => (await import("#features/admin/accounts/all-keys-page.tsx")).AllKeysPage },
  AllOwnData: { load: async () => (await import("#features/admin/own-data/own-data-page.tsx")).OwnDataPage },
  Ownerless: { load: async () => (await import("#features/admin/accounts/ownerless-page.tsx")).OwnerlessPage },
  AllAlerts: { load: async () => (await import("#features/admin/accounts/all-alerts-page.tsx")).AllAlertsPage },
};

const isEntityScreen = (name: ScreenName): name is keyof typeof entityScreens => Object.hasOwn(entityScreens, name);

export const screenParts = (name: ScreenName): ScreenParts => (isEntityScreen(name) ? entityParts : parts[name]);

/** The role that may open a screen; `*` for everyone signed in. */
export const roleOf = (name: ScreenName): string => screenNamed(name).role ?? everyone;

/** Maps an alias to the path of its route, keeping the rest of the path. The browser's address stays unchanged. */
export function canonicalPath(pathname: string): string {
  for (const { path, aliases = [] } of Object.values<ScreenRow>(screenTable)) {
    for (const alias of aliases) {
      if (pathname === alias || pathname.startsWith(`${alias}/`)) return path + pathname.slice(alias.length);
    }
  }
  return pathname;
}

/** Whether the operator has disabled an external page, by its name or path, or all of them. */
export const isPageDisabled = (name: string, disabledLinks: readonly string[]): boolean =>
  isScreenDisabled("ExternalView", disabledLinks) || isLinkDisabled({ name, path: `/external/${name}` }, disabledLinks);

// In the range of ids, which begin with 1 and have at most ten digits.
const idText = /^[1-9]\d{0,9}$/;

/** Whether all ids in the path of a screen are integers. */
export const hasIds = (name: ScreenName, params: Readonly<Record<string, unknown>>): boolean =>
  (screenNamed(name).idParams ?? []).every((param) => idText.test(String(params[param])));
