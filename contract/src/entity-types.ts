interface EntityTypeScreen {
  /** Name with which operators disable the screen. */
  readonly screen: `${string}Settings`;
  readonly address: `/${string}`;
  /** Shown in the menu and above the list. */
  readonly title: string;
}

/**
 * Every administered type with its screen, keyed by its segment in API paths. Schemas are registered in `administration.ts`
 * instead, because the shell of every screen loads this file for the menu.
 */
export const entityTypes = {
  users: { screen: "UserSettings", address: "/user-settings", title: "Users" },
  groups: { screen: "GroupSettings", address: "/group-settings", title: "Groups" },
  roles: { screen: "RoleSettings", address: "/role-settings", title: "Roles" },
  notices: { screen: "NoticeSettings", address: "/notice-settings", title: "Information Notices" },
  "torch-service": { screen: "TorchServiceSettings", address: "/torch-service-settings", title: "Torch Services" },
  ecosystems: { screen: "EcosystemSettings", address: "/ecosysystem-settings", title: "Ecosystems" },
  "datasets/internal": { screen: "InternalDatasetSettings", address: "/internal-dataset-settings", title: "Internal Datasets" },
  "datasets/external": { screen: "ExternalDatasetSettings", address: "/external-dataset-settings", title: "External Datasets" },
  filesets: { screen: "FilesetSettings", address: "/fileset-settings", title: "Filesets" },
  config: { screen: "ConfigurationSettings", address: "/configuration-settings", title: "Configuration" },
  docs: { screen: "DocSettings", address: "/doc-settings", title: "Docs" },
  flowGroups: { screen: "FlowGroupSettings", address: "/flowgroup-settings", title: "Flow Groups" },
  flowEnvironments: { screen: "FlowEnvironmentSettings", address: "/flowenvironment-settings", title: "Flow Environments" },
  joltSpecifications: { screen: "JoltSpecificationSettings", address: "/jolt-settings", title: "Jolt Specifications" },
} as const satisfies Readonly<Record<string, EntityTypeScreen>>;

export type AdministeredType = keyof typeof entityTypes;
