import type { z } from "zod";
import { groupDraft, roleDraft, userDraft } from "./accounts.ts";
import { entityRoutes } from "./entities.ts";
import { configuration, doc, ecosystem, fileset, flowEnvironment, flowGroup, torchService } from "./entity-schemas.ts";
import { type AdministeredType, entityTypes } from "./entity-types.ts";
import { externalDataset } from "./external-datasets.ts";
import { internalDataset } from "./internal-datasets.ts";
import { joltSpecification } from "./jolt.ts";
import { noticeEntity } from "./notices.ts";

/** Steps to a field; `*` stands for every entry of a list. */
type FieldPath = readonly string[];

interface SpecialFields {
  /** Fields whose names tell things apart. Default: the id. */
  readonly keys?: readonly FieldPath[];
  /** Fields that hold names for people. */
  readonly labels?: readonly FieldPath[];
  /** Secrets: encrypted at rest, and masked in every answer. */
  readonly secrets?: readonly FieldPath[];
}

export interface EntityDefinition<Type extends AdministeredType = AdministeredType, Schema extends z.ZodObject = z.ZodObject> {
  /** The segment in the paths of the API. */
  readonly name: Type;
  readonly noun: string;
  readonly idField: string;
  /** What a body has to be. */
  readonly schema: Schema;
  readonly keys: readonly FieldPath[];
  readonly labels: readonly FieldPath[];
  readonly secrets: readonly FieldPath[];
}

function defineEntityType<const Type extends AdministeredType, Schema extends z.ZodObject>(
  name: Type,
  schema: Schema,
  { keys, labels = [], secrets = [] }: SpecialFields = {},
) {
  const { noun, idField } = entityTypes[name];
  const definition: EntityDefinition<Type, Schema> = { name, noun, idField, schema, keys: keys ?? [[idField]], labels, secrets };
  return { ...definition, routes: entityRoutes(name, noun, schema) };
}

/** Every type with its schema and its calls. Another type is one line here and its description in `entity-types.ts`. */
export const entityDefinitions = {
  users: defineEntityType("users", userDraft, { keys: [["username"]] }),
  groups: defineEntityType("groups", groupDraft, { keys: [["name"]] }),
  roles: defineEntityType("roles", roleDraft, { keys: [["name"]] }),
  // Ids of notices are the server's.
  notices: defineEntityType("notices", noticeEntity, { keys: [] }),
  "torch-service": defineEntityType("torch-service", torchService),
  ecosystems: defineEntityType("ecosystems", ecosystem),
  "datasets/internal": defineEntityType("datasets/internal", internalDataset, { keys: [["id"], ["category"]] }),
  "datasets/external": defineEntityType("datasets/external", externalDataset, {
    keys: [["name"], ["apis", "*", "name"]],
    secrets: [
      ["keystoreCredential", "password"],
      ["apiKeyCredential", "key"],
    ],
  }),
  filesets: defineEntityType("filesets", fileset),
  config: defineEntityType("config", configuration),
  docs: defineEntityType("docs", doc, { labels: [["name"], ["category"]] }),
  flowGroups: defineEntityType("flowGroups", flowGroup, { labels: [["displayName"]] }),
  flowEnvironments: defineEntityType("flowEnvironments", flowEnvironment, { labels: [["displayName"]] }),
  joltSpecifications: defineEntityType("joltSpecifications", joltSpecification),
} as const satisfies { readonly [Type in AdministeredType]: EntityDefinition<Type> };

/** The body of a type. */
export type EntityBody<Type extends AdministeredType> = z.infer<(typeof entityDefinitions)[Type]["schema"]>;
