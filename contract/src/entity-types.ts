interface EntityTypeDescription {
  /** One of them, in the middle of a sentence. */
  readonly noun: string;
  /** Several of them. */
  readonly plural: string;
  /** The field that tells one from another. */
  readonly idField: string;
  /** Where administrators keep them: the name that operators disable the screen by, its address, and its title in the menu. */
  readonly screen: { readonly name: `${string}Settings`; readonly address: `/${string}`; readonly title: string };
}

/**
 * Every type that administrators keep, by its segment in the paths of the API. Schemas are registered in `administration.ts`:
 * screens that show none of these types load this file, too.
 */
export const entityTypes = {
  users: {
    noun: "user",
    plural: "users",
    idField: "id",
    screen: { name: "UserSettings", address: "/user-settings", title: "Users" },
  },
  groups: {
    noun: "group",
    plural: "groups",
    idField: "id",
    screen: { name: "GroupSettings", address: "/group-settings", title: "Groups" },
  },
  roles: {
    noun: "role",
    plural: "roles",
    idField: "id",
    screen: { name: "RoleSettings", address: "/role-settings", title: "Roles" },
  },
  notices: {
    noun: "notice",
    plural: "notices",
    idField: "id",
    screen: { name: "NoticeSettings", address: "/notice-settings", title: "Information Notices" },
  },
  "torch-service": {
    noun: "torch service",
    plural: "torch services",
    idField: "name",
    screen: { name: "TorchServiceSettings", address: "/torch-service-settings", title: "Torch Services" },
  },
  ecosystems: {
    noun: "ecosystem",
    plural: "ecosystems",
    idField: "name",
    screen: { name: "EcosystemSettings", address: "/ecosysystem-settings", title: "Ecosystems" },
  },
  "datasets/internal": {
    noun: "internal dataset",
    plural: "internal datasets",
    idField: "id",
    screen: { name: "InternalDatasetSettings", address: "/internal-dataset-settings", title: "Internal Datasets" },
  },
  "datasets/external": {
    noun: "external dataset",
    plural: "external datasets",
    idField: "name",
    screen: { name: "ExternalDatasetSettings", address: "/external-dataset-settings", title: "External Datasets" },
  },
  filesets: {
    noun: "fileset",
    plural: "filesets",
    idField: "id",
    screen: { name: "FilesetSettings", address: "/fileset-settings", title: "Filesets" },
  },
  config: {
    noun: "configuration",
    plural: "configurations",
    idField: "name",
    screen: { name: "ConfigurationSettings", address: "/configuration-settings", title: "Configuration" },
  },
  docs: {
    noun: "doc",
    plural: "docs",
    idField: "id",
    screen: { name: "DocSettings", address: "/doc-settings", title: "Docs" },
  },
  flowGroups: {
    noun: "flow group",
    plural: "flow groups",
    idField: "name",
    screen: { name: "FlowGroupSettings", address: "/flowgroup-settings", title: "Flow Groups" },
  },
  flowEnvironments: {
    noun: "flow environment",
    plural: "flow environments",
    idField: "name",
    screen: { name: "FlowEnvironmentSettings", address: "/flowenvironment-settings", title: "Flow Environments" },
  },
  joltSpecifications: {
    noun: "Jolt specification",
    plural: "Jolt specifications",
    idField: "name",
    screen: { name: "JoltSpecificationSettings", address: "/jolt-settings", title: "Jolt Specifications" },
  },
} as const satisfies Readonly<Record<string, EntityTypeDescription>>;

export type AdministeredType = keyof typeof entityTypes;
