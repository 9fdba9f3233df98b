import { everyone } from "@fairway/contract/access";

interface Screen {
  path: `/${string}`;
  aliases: readonly `/${string}`[];
  /** Who may open it; to everybody else it does not exist. Without one: everyone signed in. */
  role?: string;
}

const forAdmins = <const Path extends `/${string}`>(path: Path) => ({ path, aliases: [], role: "admin" }) as const;

/** The screens there are, by their route names, each with its address and its other addresses. */
export const screens = {
  UnifiedDatasets: { path: "/search", aliases: ["/datasets", "/reports", "/external-datasets"] },
  SearchResults: { path: "/search/$searchId", aliases: [] },
  UserProfile: { path: "/user-profile", aliases: [] },
  ChangePassword: { path: "/change-password", aliases: [] },
  SignInMethods: { path: "/sign-in-methods", aliases: [] },
  ApiKeys: { path: "/keys", aliases: [] },
  ManageCac: { path: "/manage-cac", aliases: [] },
  Notices: { path: "/notices", aliases: [] },
  About: forAdmins("/about"),
  Auditing: forAdmins("/auditing"),
  ConfigurationSettings: forAdmins("/configuration-settings"),
  DocSettings: forAdmins("/doc-settings"),
  EcosystemSettings: forAdmins("/ecosysystem-settings"),
  ExternalDatasetSettings: forAdmins("/external-dataset-settings"),
  FilesetSettings: forAdmins("/fileset-settings"),
  FlowEnvironmentSettings: forAdmins("/flowenvironment-settings"),
  FlowGroupSettings: forAdmins("/flowgroup-settings"),
  GroupSettings: forAdmins("/group-settings"),
  InternalDatasetSettings: forAdmins("/internal-dataset-settings"),
  JoltSpecificationSettings: forAdmins("/jolt-settings"),
  NoticeSettings: forAdmins("/notice-settings"),
  ReceivedFeedback: forAdmins("/feedback-settings"),
  AllApiKeys: forAdmins("/key-settings"),
  RoleSettings: forAdmins("/role-settings"),
  TorchServiceSettings: forAdmins("/torch-service-settings"),
  UserSettings: forAdmins("/user-settings"),
} as const satisfies Record<string, Screen>;

export type ScreenName = keyof typeof screens;

/** The address of a screen that needs nothing else to open. */
export type ScreenPath = Exclude<(typeof screens)[ScreenName]["path"], `${string}$${string}`>;

/** The screens that only administrators open. */
export type AdminScreen = { [Name in ScreenName]: (typeof screens)[Name] extends { role: "admin" } ? Name : never }[ScreenName];

/** Those on which they keep entities, one type each. */
export type EntityScreen = Extract<AdminScreen, `${string}Settings`>;

/** Who may open a screen; `*` for everyone signed in. */
export const roleOf = (name: ScreenName): string => (screens[name] as Screen).role ?? everyone;

/** The path that the routes know for `pathname`. An alias keeps its address in the browser, with what follows it. */
export function canonicalPath(pathname: string): string {
  for (const { path, aliases } of Object.values(screens)) {
    for (const alias of aliases) {
      if (pathname === alias || pathname.startsWith(`${alias}/`)) return path + pathname.slice(alias.length);
    }
  }
  return pathname;
}

// Where everything else falls back to, and the way in.
const alwaysOpen: ReadonlySet<ScreenName> = new Set(["UnifiedDatasets"]);

/** Whether the operator has closed a screen: `disabledLinks` holds route names or paths, with or without their slash. */
export function isDisabled(name: ScreenName, disabledLinks: readonly string[]): boolean {
  if (alwaysOpen.has(name)) return false;
  const { path, aliases } = screens[name];
  const known = new Set([name, path, ...aliases].map(bare));
  return disabledLinks.some((link) => known.has(bare(link)));
}

const bare = (link: string): string => link.trim().replace(/^\/+/, "");
