import { everyone } from "@fairway/contract/access";
import { type AdministeredType, entityTypes } from "@fairway/contract/entity-types";
import { IconBell, IconDatabase, IconId, IconKey, IconLock, IconUser, type TablerIcon } from "@tabler/icons-react";
import type { ComponentType } from "react";
import { isLinkDisabled } from "#lib/disabled-links.ts";

interface ScreenDescription {
  readonly path: `/${string}`;
  /** Other addresses of the screen. */
  readonly aliases?: readonly `/${string}`[];
  /** Who may open it; to everybody else it does not exist. Default: everyone signed in. */
  readonly role?: string;
  /** The group of the rail that it belongs to. */
  readonly group: "search" | "power" | "profile";
  /** Its entry in the menu, ordered by label within the group. Default: none. */
  readonly label?: string;
  readonly icon?: TablerIcon;
  /** The palette alone names it. */
  readonly isOffPanel?: true;
  /** The name of the part that is loaded with it. */
  readonly part: string;
}

export interface Screen extends ScreenDescription {
  /** Loads the page, with the screen's first use. */
  readonly load: () => Promise<ComponentType>;
}

const screen = <const Description extends ScreenDescription>(
  description: Description,
  load: () => Promise<ComponentType>,
): Description & Pick<Screen, "load"> => ({ ...description, load });

/** The screen of a type that administrators keep. */
const entityScreen = (type: AdministeredType): Screen => ({
  path: entityTypes[type].address,
  role: "admin",
  group: "power",
  label: entityTypes[type].title,
  part: "administration",
  load: async () => (await import("#features/admin/entity-page.tsx")).EntityPage,
});

type EntityScreens = {
  readonly [Type in AdministeredType as (typeof entityTypes)[Type]["screen"]]: Screen & {
    readonly path: (typeof entityTypes)[Type]["address"];
  };
};

const entityScreens = Object.fromEntries(
  (Object.keys(entityTypes) as AdministeredType[]).map((type) => [entityTypes[type].screen, entityScreen(type)]),
) as EntityScreens;

/** Every screen by its route name. Routes, the menu, the palette, and who may open what derive from this list. */
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
  ...entityScreens,
} as const;

export type ScreenName = keyof typeof screens;

/** The address of a screen that needs nothing else to open. */
export type ScreenPath = Exclude<(typeof screens)[ScreenName]["path"], `${string}$${string}`>;

export const screenNamed = (name: ScreenName): Screen => screens[name];

/** Who may open a screen; `*` for everyone signed in. */
export const roleOf = (name: ScreenName): string => screenNamed(name).role ?? everyone;

/** The path that the routes know for `pathname`. An alias keeps its address in the browser, with what follows it. */
export function canonicalPath(pathname: string): string {
  for (const { path, aliases = [] } of Object.values<Screen>(screens)) {
    for (const alias of aliases) {
      if (pathname === alias || pathname.startsWith(`${alias}/`)) return path + pathname.slice(alias.length);
    }
  }
  return pathname;
}

// Where everything else falls back to, and the way in.
const alwaysOpen: ReadonlySet<ScreenName> = new Set(["UnifiedDatasets"]);

/** Whether the operator has closed a screen. */
export const isDisabled = (name: ScreenName, disabledLinks: readonly string[]): boolean =>
  !alwaysOpen.has(name) && isLinkDisabled({ name, ...screenNamed(name) }, disabledLinks);
