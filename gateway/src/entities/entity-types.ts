import { type ExternalDataset, externalDataset } from "@fairway/contract/external-datasets";
import { type InternalDataset, internalDataset } from "@fairway/contract/internal-datasets";
import { type NoticeEntity, noticeEntity } from "@fairway/contract/notices";
import type { z } from "zod";

/** A kind of thing that administrators configure: its name in paths and what its body has to be. */
export interface EntityType<Body> {
  readonly name: string;
  readonly schema: z.ZodType<Body>;
  /** The field that tells one from another. */
  readonly idField: "id" | "name";
  /** Where its secrets stand: encrypted at rest, answered masked. */
  readonly secrets: readonly (readonly string[])[];
}

export const internalDatasets: EntityType<InternalDataset> = {
  name: "datasets/internal",
  schema: internalDataset,
  idField: "id",
  secrets: [],
};

export const externalDatasets: EntityType<ExternalDataset> = {
  name: "datasets/external",
  schema: externalDataset,
  idField: "name",
  secrets: [
    ["keystoreCredential", "password"],
    ["apiKeyCredential", "key"],
  ],
};

/** Ids and times of creation are the server's. */
export const notices: EntityType<NoticeEntity> = {
  name: "notices",
  schema: noticeEntity,
  idField: "id",
  secrets: [],
};
