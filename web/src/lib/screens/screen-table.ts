import { type AdministeredType, entityTypes } from "@fairway/contract/entity-types";

export interface ScreenRow {
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
  /** Listed in the palette only. */
  readonly isOffPanel?: true;
}

/** The screen of an entity type. */
const entityScreen = (type: AdministeredType): ScreenRow => ({
  path: entityTypes[type].address,
  role: "admin",
  group: "power",
  label: entityTypes[type].title,
});

type EntityScreens = {
  readonly [Type in AdministeredType as (typeof entityTypes)[Type]["screen"]]: ScreenRow & {
    readonly path: (typeof entityTypes)[Type]["address"];
  };
};

export const entityScreens = Object.fromEntries(
  (Object.keys(entityTypes) as AdministeredType[]).map((type) => [entityTypes[type].screen, entityScreen(type)]),
) as EntityScreens;

const pages = {
  UnifiedDatasets: {
    path: "/search",
    aliases: ["/datasets", "/reports", "/external-datasets"],
    group: "search",
    label: "Datasets",
  },
  SearchResults: { path: "/search/$searchId", group: "search" },
  AddData: { path: "/add-data", group: "search" },
  Import: { path: "/add-data/$importId", group: "search" },
  Boards: { path: "/boards", group: "search", label: "Boards" },
  Board: { path: "/boards/$boardId", group: "search" },
  Alerts: { path: "/alerts", group: "search", label: "Alerts" },
  Emails: { path: "/alerts/emails", group: "search", label: "Emails", isOffPanel: true },
  Filesets: { path: "/filesets", aliases: ["/files"], group: "search", label: "Filesets" },
  SchemaDiscovery: { path: "/data-catalog", aliases: ["/metadata"], group: "search", label: "Data Catalog" },
  DatasetSchema: { path: "/data-catalog/$datasetCategory/$datasetId", group: "search" },
  DatasetUse: { path: "/data-catalog/$datasetCategory/$datasetId/use", group: "search" },
  FAQ: { path: "/FAQ", group: "docs", label: "FAQ" },
  TutorialVideos: { path: "/tutorials", group: "docs", label: "Tutorial Videos" },
  ExternalView: { path: "/external/$name", group: "docs" },
  Tools: { path: "/tools", group: "tools" },
  NiFlowFlows: { path: "/niflow-flows", group: "niflow", label: "Flows" },
  MainFlowHistory: { path: "/niflow-flows/$groupName/$flowId", idParams: ["flowId"], group: "niflow" },
  NiFlowRequests: { path: "/niflow-requests", group: "niflow", label: "Flow Requests" },
  FlowRequest: { path: "/niflow-requests/$groupName/$flowId/$requestId", idParams: ["flowId", "requestId"], group: "niflow" },
  UserProfile: { path: "/user-profile", group: "profile", label: "About" },
  ChangePassword: { path: "/change-password", group: "profile", label: "Update Password" },
  SignInMethods: { path: "/sign-in-methods", group: "profile" },
  ApiKeys: { path: "/keys", group: "profile", label: "API Keys" },
  Assistants: { path: "/assistants", group: "profile", label: "Assistants", isOffPanel: true },
  ManageCac: { path: "/manage-cac", group: "profile", label: "Manage CAC" },
  Notices: { path: "/notices", group: "profile", label: "Notices" },
  About: { path: "/about", role: "admin", group: "power", label: "About" },
  Auditing: { path: "/auditing", role: "admin", group: "power", label: "Audit Logs" },
  ReceivedFeedback: { path: "/feedback-settings", role: "admin", group: "power", label: "Feedback", isOffPanel: true },
  AllApiKeys: { path: "/key-settings", role: "admin", group: "power", label: "API Keys of all users", isOffPanel: true },
  AllAlerts: { path: "/alert-settings", role: "admin", group: "power", label: "Alerts of all users", isOffPanel: true },
  Ownerless: { path: "/ownerless-settings", role: "admin", group: "power", label: "Without owner", isOffPanel: true },
  AllOwnData: { path: "/own-data-settings", role: "admin", group: "power", label: "Own data of all users", isOffPanel: true },
} as const satisfies Readonly<Record<string, ScreenRow>>;

/** Every screen by its route name. Routes, menu, palette, links and access derive from this list. */
export const screenTable = { ...pages, ...entityScreens } as const;

export type ScreenName = keyof typeof screenTable;

/** The path of a screen without parameters. */
export type ScreenPath = Exclude<(typeof screenTable)[ScreenName]["path"], `${string}$${string}`>;

export const screenNamed = (name: ScreenName): ScreenRow => screenTable[name];
