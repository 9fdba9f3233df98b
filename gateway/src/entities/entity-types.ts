import {
  type Configuration,
  type Ecosystem,
  type Fileset,
  type TorchService,
  configuration,
  doc,
  ecosystem,
  fileset,
  flowEnvironment,
  flowGroup,
  torchService,
} from "@fairway/contract/configured";
import { type ExternalDataset, externalDataset } from "@fairway/contract/external-datasets";
import { type InternalDataset, internalDataset } from "@fairway/contract/internal-datasets";
import { joltSpecification } from "@fairway/contract/jolt";
import { type NoticeEntity, noticeEntity } from "@fairway/contract/notices";
import type { z } from "zod";

/** A kind of thing that administrators configure: its name in paths and what its body has to be. */
export interface EntityType<Body> {
  readonly name: string;
  readonly schema: z.ZodType<Body>;
  /** The field that tells one from another. */
  readonly idField: "id" | "name";
  /** Where names stand that tell things apart, `*` for every entry of a list. Default: the field of the id. */
  readonly keys?: readonly (readonly string[])[];
  /** Where names stand that people read. */
  readonly labels?: readonly (readonly string[])[];
  /** Where its secrets stand: encrypted at rest, answered masked. */
  readonly secrets: readonly (readonly string[])[];
  /** To whom and as what the secret in this place is shown. Where that changes, who does not know it cannot keep it. */
  readonly boundTo?: (body: object, path: readonly string[]) => string;
}

export const internalDatasets: EntityType<InternalDataset> = {
  name: "datasets/internal",
  schema: internalDataset,
  idField: "id",
  keys: [["id"], ["category"]],
  secrets: [],
};

export const externalDatasets: EntityType<ExternalDataset> = {
  name: "datasets/external",
  schema: externalDataset,
  idField: "name",
  keys: [["name"], ["apis", "*", "name"]],
  secrets: [
    ["keystoreCredential", "password"],
    ["apiKeyCredential", "key"],
  ],
  boundTo: (body, [credential]) => {
    const { baseRoute = "", apiKeyCredential, keystoreCredential } = body as Partial<ExternalDataset>;
    const origin = URL.canParse(baseRoute) ? new URL(baseRoute).origin : baseRoute;
    const shownAs = credential === "apiKeyCredential" ? apiKeyCredential?.headerName.toLowerCase() : keystoreCredential?.path;
    return JSON.stringify([origin, shownAs]);
  },
};

/** Ids and times of creation are the server's. */
export const notices: EntityType<NoticeEntity> = {
  name: "notices",
  schema: noticeEntity,
  idField: "id",
  keys: [],
  secrets: [],
};

export const torchServices: EntityType<TorchService> = { name: "torch-service", schema: torchService, idField: "name", secrets: [] };
export const ecosystems: EntityType<Ecosystem> = { name: "ecosystems", schema: ecosystem, idField: "name", secrets: [] };
export const filesets: EntityType<Fileset> = { name: "filesets", schema: fileset, idField: "id", secrets: [] };
export const configurations: EntityType<Configuration> = { name: "config", schema: configuration, idField: "name", secrets: [] };
export const docs: EntityType<z.infer<typeof doc>> = {
  name: "docs",
  schema: doc,
  idField: "id",
  labels: [["name"], ["category"]],
  secrets: [],
};
export const flowGroups: EntityType<z.infer<typeof flowGroup>> = {
  name: "flowGroups",
  schema: flowGroup,
  idField: "name",
  labels: [["displayName"]],
  secrets: [],
};
export const flowEnvironments: EntityType<z.infer<typeof flowEnvironment>> = {
  name: "flowEnvironments",
  schema: flowEnvironment,
  idField: "name",
  labels: [["displayName"]],
  secrets: [],
};
export const joltSpecifications: EntityType<z.infer<typeof joltSpecification>> = {
  name: "joltSpecifications",
  schema: joltSpecification,
  idField: "name",
  secrets: [],
};
