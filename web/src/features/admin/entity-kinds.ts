import { groupsKind, noticesKind, rolesKind, usersKind } from "./entity-kinds-accounts.ts";
import { type EntityKind, plainText } from "./entity-kind.ts";
import type { Entity } from "@fairway/contract/entities";

const ofSource = ({ source }: Entity): string => {
  const { glob, name } = (source ?? {}) as { glob?: unknown; name?: unknown };
  return plainText(glob ?? name);
};
const rolesText =
  (field: string) =>
  (entity: Entity): string =>
    plainText(entity[field]) || "everyone";

/** The types that administrators keep, by the names of their screens. */
export const entityKinds: ReadonlyMap<string, EntityKind> = new Map<string, EntityKind>([
  [
    "InternalDatasetSettings",
    {
      type: "datasets/internal",
      title: "Internal Datasets",
      extras: ["descriptions", "schema-update"],
      fromData: true,
      noun: "internal dataset",
      idField: "id",
      columns: [
        { name: "category" },
        { name: "source", text: ofSource, mono: true },
        { name: "roles", text: rolesText("roles") },
        { name: "features" },
      ],
      template: {
        id: "",
        category: "",
        enabled: true,
        description: "",
        roles: [],
        source: { kind: "files", glob: "", format: "parquet" },
        schema: { columns: [] },
        temporalField: null,
        locationField: null,
        orderBy: null,
        features: ["SAMPLE", "PAGINATION", "COUNT"],
        filterSupport: {
          supportsTimeRange: false,
          supportsGeospatial: false,
          supportsAdvancedFiltering: true,
          staticFilters: [],
          preFilledFilters: [],
          additionalFilters: [],
          requiredOrFields: null,
        },
        mapSupport: null,
        linkedDatasets: [],
        faMapIcon: null,
        titleField: null,
        subtitleField: null,
      },
    },
  ],
  [
    "ExternalDatasetSettings",
    {
      type: "datasets/external",
      title: "External Datasets",
      noun: "external dataset",
      idField: "name",
      columns: [{ name: "description" }, { name: "baseRoute", mono: true }, { name: "apis" }, { name: "roles", text: rolesText("roles") }],
      template: {
        name: "",
        description: "",
        enabled: true,
        baseRoute: "https://",
        keystoreCredential: null,
        apiKeyCredential: null,
        apis: [{ name: "", description: "", path: "/", method: 0, filters: [] }],
        roles: [],
      },
    },
  ],
  [
    "TorchServiceSettings",
    {
      type: "torch-service",
      title: "Torch Services",
      noun: "torch service",
      idField: "name",
      columns: [
        { name: "baseUrl", mono: true },
        { name: "reachable", noted: true },
      ],
      template: { name: "", baseUrl: "https://", enabled: true },
    },
  ],
  [
    "EcosystemSettings",
    {
      type: "ecosystems",
      title: "Ecosystems",
      noun: "ecosystem",
      idField: "name",
      columns: [{ name: "roles", text: rolesText("roles") }],
      template: { name: "", enabled: true, roles: [] },
    },
  ],
  [
    "FilesetSettings",
    {
      type: "filesets",
      title: "Filesets",
      noun: "fileset",
      idField: "id",
      columns: [
        { name: "description" },
        { name: "s3Bucket", mono: true },
        { name: "s3Prefix", mono: true },
        { name: "allowedRoles", text: rolesText("allowedRoles") },
        { name: "allowsUploads" },
      ],
      template: { id: "", description: "", s3Bucket: "", s3Prefix: "", allowedRoles: [], enabled: true, allowsUploads: false },
    },
  ],
  [
    "ConfigurationSettings",
    {
      type: "config",
      title: "Configuration",
      noun: "configuration",
      idField: "name",
      columns: [
        { name: "appTitle" },
        { name: "appSubtitle" },
        { name: "prestoURL", mono: true },
        { name: "s3URL", mono: true },
        { name: "graphiteEnabled" },
        { name: "graphiteUrl", mono: true },
      ],
      template: {
        // The first one is enabled, others wait: the gateway's choice.
        name: "",
        prestoURL: "",
        prestoSource: "",
        s3URL: "",
        s3Region: "",
        graphiteEnabled: false,
        graphiteUrl: "",
        appTitle: "",
        appSubtitle: "",
      },
    },
  ],
  [
    "DocSettings",
    {
      type: "docs",
      title: "Docs",
      noun: "doc",
      idField: "id",
      columns: [{ name: "name" }, { name: "category" }, { name: "description" }],
      template: { id: "", name: "", category: "", description: "", enabled: true },
    },
  ],
  [
    "FlowGroupSettings",
    {
      type: "flowGroups",
      title: "Flow Groups",
      noun: "flow group",
      idField: "name",
      columns: [{ name: "displayName" }, { name: "description" }],
      template: { name: "", displayName: "", description: "", enabled: true },
    },
  ],
  [
    "FlowEnvironmentSettings",
    {
      type: "flowEnvironments",
      title: "Flow Environments",
      noun: "flow environment",
      idField: "name",
      columns: [
        { name: "displayName" },
        { name: "baseUrl", mono: true },
        { name: "readTimeoutMs", number: true },
        { name: "connectTimeoutMs", number: true },
      ],
      template: { name: "", displayName: "", baseUrl: "https://", readTimeoutMs: 60_000, connectTimeoutMs: 10_000, enabled: true },
    },
  ],
  [
    "JoltSpecificationSettings",
    {
      type: "joltSpecifications",
      title: "Jolt Specifications",
      noun: "Jolt specification",
      idField: "name",
      columns: [{ name: "sourceType" }, { name: "targetType" }],
      opaque: ["joltSpec"],
      extras: ["jolt-trial"],
      template: { name: "", sourceType: "", targetType: "", joltSpec: [{ operation: "shift", spec: {} }], enabled: true },
    },
  ],
  ["UserSettings", usersKind],
  ["GroupSettings", groupsKind],
  ["RoleSettings", rolesKind],
  ["NoticeSettings", noticesKind],
]);
