import { type EntityBody, entityDefinitions } from "@fairway/contract/administration";
import type { AdministeredType } from "@fairway/contract/entity-types";
import type { ExternalDataset } from "@fairway/contract/external-datasets";
import type { z } from "zod";
import { datasetForm, type StoredForm } from "./stored-form.ts";

/** An entity type of the table `entities`. */
export interface EntityType<Body> {
  /** Segment in API paths. */
  readonly name: string;
  /** Singular, as used in the middle of a sentence. */
  readonly noun: string;
  readonly schema: z.ZodType<Body>;
  /** The field that identifies an entity. */
  readonly idField: string;
  /** Fields whose values are keys; `*` stands for every entry of a list. */
  readonly keys: readonly (readonly string[])[];
  /** Fields that hold display names. */
  readonly labels: readonly (readonly string[])[];
  /** Fields that are encrypted at rest and masked in responses. */
  readonly secrets: readonly (readonly string[])[];
  /** Destination of the secret in this field, and how it is sent. If this changes, the secret has to be entered again. */
  readonly boundTo?: (body: object, path: readonly string[]) => string;
  /** How bodies are stored. Default: as they are. */
  readonly form?: StoredForm;
}

/** Types with separate tables. */
export type AccountType = "users" | "groups" | "roles";
export type StoredType = Exclude<AdministeredType, AccountType>;

const { users: _users, groups: _groups, roles: _roles, ...definitions } = entityDefinitions;

/** Every type of the table `entities`. */
export const storedTypes: { readonly [Type in StoredType]: EntityType<EntityBody<Type>> } = {
  ...definitions,
  "datasets/internal": { ...definitions["datasets/internal"], form: datasetForm },
  "datasets/external": {
    ...definitions["datasets/external"],
    boundTo: (body, [credential]) => {
      const { baseRoute = "", apiKeyCredential, keystoreCredential } = body as Partial<ExternalDataset>;
      const origin = URL.canParse(baseRoute) ? new URL(baseRoute).origin : baseRoute;
      const sentAs = credential === "apiKeyCredential" ? apiKeyCredential?.headerName.toLowerCase() : keystoreCredential?.path;
      return JSON.stringify([origin, sentAs]);
    },
  },
};

/** The two types of datasets, which many parts of the gateway read. */
export const internalDatasets = storedTypes["datasets/internal"];
export const externalDatasets = storedTypes["datasets/external"];
