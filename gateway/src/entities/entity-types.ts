import { type EntityBody, entityDefinitions } from "@fairway/contract/administration";
import type { AdministeredType } from "@fairway/contract/entity-types";
import type { ExternalDataset } from "@fairway/contract/external-datasets";
import type { z } from "zod";

/** A type as the table of entities keeps it. */
export interface EntityType<Body> {
  /** The segment in the paths of the API. */
  readonly name: string;
  /** One of them, in the middle of a sentence. */
  readonly noun: string;
  readonly schema: z.ZodType<Body>;
  /** The field that tells one from another. */
  readonly idField: string;
  /** Fields whose names tell things apart, `*` for every entry of a list. */
  readonly keys: readonly (readonly string[])[];
  /** Fields that hold names for people. */
  readonly labels: readonly (readonly string[])[];
  /** Fields that are encrypted at rest and masked in answers. */
  readonly secrets: readonly (readonly string[])[];
  /** To whom and as what the secret in this field is shown. Once that changes, only who knows the secret can keep it. */
  readonly boundTo?: (body: object, path: readonly string[]) => string;
}

/** The types with tables of their own. */
export type AccountType = "users" | "groups" | "roles";
export type StoredType = Exclude<AdministeredType, AccountType>;

const { users: _users, groups: _groups, roles: _roles, ...definitions } = entityDefinitions;

/** Every type in the table of entities. */
export const storedTypes: { readonly [Type in StoredType]: EntityType<EntityBody<Type>> } = {
  ...definitions,
  "datasets/external": {
    ...definitions["datasets/external"],
    boundTo: (body, [credential]) => {
      const { baseRoute = "", apiKeyCredential, keystoreCredential } = body as Partial<ExternalDataset>;
      const origin = URL.canParse(baseRoute) ? new URL(baseRoute).origin : baseRoute;
      const shownAs = credential === "apiKeyCredential" ? apiKeyCredential?.headerName.toLowerCase() : keystoreCredential?.path;
      return JSON.stringify([origin, shownAs]);
    },
  },
};

// Those that other parts of the gateway read.
export const internalDatasets = storedTypes["datasets/internal"];
export const externalDatasets = storedTypes["datasets/external"];
export const notices = storedTypes.notices;
export const torchServices = storedTypes["torch-service"];
export const ecosystems = storedTypes.ecosystems;
export const configurations = storedTypes.config;
