import type { Entity } from "@fairway/contract/entities";
import type { AdministeredType } from "@fairway/contract/entity-types";
import { groupsView, noticesView, rolesView, usersView } from "../accounts/account-views.ts";
import { type EntityView, plainText } from "./entity-kind.ts";

const sourceText = ({ source }: Entity): string => {
  const { glob, name } = (source ?? {}) as { glob?: unknown; name?: unknown };
  return plainText(glob ?? name);
};
const rolesText =
  (field: string) =>
  (entity: Entity): string =>
    plainText(entity[field]) || "everyone";

/** Views of the types that are not shown as their schema alone would suggest. */
export const entityViews: { readonly [Type in AdministeredType]?: EntityView } = {
  "datasets/internal": {
    purpose: "Datasets are files, tables or buckets that people can search here.",
    extras: ["form", "access", "descriptions", "schema-update", "reading"],
    fromData: true,
    columns: [
      { name: "category" },
      { name: "source", text: sourceText, mono: true, isPath: true },
      { name: "roles", text: rolesText("roles") },
      { name: "features" },
      { name: "quality", isSeparate: true, isHiddenIfEmpty: true },
      { name: "announcement", isSeparate: true, isHiddenIfEmpty: true },
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
      owner: null,
      contact: null,
      origin: null,
      license: null,
      updateRhythm: null,
      tags: [],
    },
  },
  "datasets/external": {
    purpose: "External datasets get their rows from another service.",
    columns: [
      { name: "description" },
      { name: "baseRoute", mono: true },
      { name: "apis" },
      { name: "roles", text: rolesText("roles") },
      { name: "announcement", isSeparate: true, isHiddenIfEmpty: true },
    ],
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
  "torch-service": {
    purpose: "Torch services are other services of your organization that the portal lists.",
    columns: [
      { name: "baseUrl", mono: true },
      { name: "reachable", isSeparate: true },
    ],
    template: { name: "", baseUrl: "https://", enabled: true },
  },
  ecosystems: {
    purpose: "Ecosystems are environments that people may add to their API keys if their roles allow it.",
    columns: [{ name: "roles", text: rolesText("roles") }],
    template: { name: "", enabled: true, roles: [] },
  },
  filesets: {
    purpose: "Filesets are folders of files that people can browse, preview and download.",
    extras: ["open-fileset"],
    columns: [
      { name: "description" },
      { name: "s3Bucket", mono: true },
      { name: "s3Prefix", mono: true },
      { name: "allowedRoles", text: rolesText("allowedRoles") },
      { name: "allowsUploads" },
    ],
    template: { id: "", description: "", s3Bucket: "", s3Prefix: "", allowedRoles: [], enabled: true, allowsUploads: false },
  },
  config: {
    purpose: "The enabled configuration sets the portal's title and the servers it uses.",
    columns: [
      { name: "appTitle" },
      { name: "appSubtitle" },
      { name: "prestoURL", mono: true },
      { name: "s3URL", mono: true },
      { name: "graphiteEnabled" },
      { name: "graphiteUrl", mono: true },
    ],
    template: {
      // No `enabled`: the gateway enables the first configuration only.
      name: "",
      prestoURL: "",
      prestoSource: "",
      s3URL: "",
      s3Region: "",
      graphiteEnabled: false,
      graphiteUrl: "",
      appTitle: "",
      appSubtitle: "",
      dateOrder: null,
    },
  },
  docs: { purpose: "Docs are the PDF files, videos and pages of the Docs menu.", extras: ["doc-files"] },
  flowEnvironments: {
    purpose: "Flow environments are the NiFi servers that flows are deployed to.",
    columns: [
      { name: "displayName" },
      { name: "baseUrl", mono: true },
      { name: "readTimeoutMs", number: true },
      { name: "connectTimeoutMs", number: true },
    ],
    template: { name: "", displayName: "", baseUrl: "https://", readTimeoutMs: 60_000, connectTimeoutMs: 10_000, ca: "", enabled: true },
  },
  joltSpecifications: {
    purpose: "Jolt specifications transform JSON from one structure to another.",
    columns: [{ name: "sourceType" }, { name: "targetType" }],
    opaque: ["joltSpec"],
    extras: ["jolt-trial"],
    template: { name: "", sourceType: "", targetType: "", joltSpec: [{ operation: "shift", spec: {} }], enabled: true },
  },
  users: usersView,
  groups: groupsView,
  roles: rolesView,
  notices: noticesView,
};
