import type { z } from "zod";
import { groupDraft, roleDraft, userDraft, userRemoval } from "./accounts.ts";
import { entityRoutes } from "./entities.ts";
import { configuration, doc, ecosystem, fileset, flowEnvironment, flowGroup, torchService } from "./entity-schemas.ts";
import type { AdministeredType } from "./entity-types.ts";
import { externalDataset } from "./external-datasets.ts";
import { internalDataset } from "./internal-datasets.ts";
import { joltSpecification } from "./jolt.ts";
import { noticeEntity } from "./notice-entity.ts";

/** Path to a field; `*` stands for every entry of a list. */
type FieldPath = readonly string[];

interface EntityDescription<Schema extends z.ZodObject> {
  /** Singular, as used in the middle of a sentence. */
  readonly noun: string;
  /** Default: the noun with an s. */
  readonly plural?: string;
  /** The field that identifies an entity. */
  readonly idField: string;
  /** Schema of the entity's body. */
  readonly schema: Schema;
  /** Fields whose values are keys. Default: the id. */
  readonly keys?: readonly FieldPath[];
  /** Fields that hold display names. */
  readonly labels?: readonly FieldPath[];
  /** Secrets: encrypted at rest and masked in every response. */
  readonly secrets?: readonly FieldPath[];
}

function defineEntityType<const Type extends AdministeredType, Schema extends z.ZodObject>(
  name: Type,
  description: EntityDescription<Schema>,
) {
  const { noun, plural = `${noun}s`, idField, schema, keys = [[idField]], labels = [], secrets = [] } = description;
  return { name, noun, plural, idField, schema, keys, labels, secrets, routes: entityRoutes(name, noun, schema) };
}

const users = defineEntityType("users", { noun: "user", idField: "id", schema: userDraft, keys: [["username"]] });

/** Every entity type with its schema and calls. To add a type, add an entry here and its screen in `entity-types.ts`. */
export const entityDefinitions = {
  users: { ...users, routes: { ...users.routes, remove: userRemoval } },
  groups: defineEntityType("groups", { noun: "group", idField: "id", schema: groupDraft, keys: [["name"]] }),
  roles: defineEntityType("roles", { noun: "role", idField: "id", schema: roleDraft, keys: [["name"]] }),
  // The server assigns the ids of notices.
  notices: defineEntityType("notices", { noun: "notice", idField: "id", schema: noticeEntity, keys: [] }),
  "torch-service": defineEntityType("torch-service", { noun: "torch service", idField: "name", schema: torchService }),
  ecosystems: defineEntityType("ecosystems", { noun: "ecosystem", idField: "name", schema: ecosystem }),
  "datasets/internal": defineEntityType("datasets/internal", {
    noun: "internal dataset",
    idField: "id",
    schema: internalDataset,
    keys: [["id"], ["category"]],
  }),
  "datasets/external": defineEntityType("datasets/external", {
    noun: "external dataset",
    idField: "name",
    schema: externalDataset,
    keys: [["name"], ["apis", "*", "name"]],
    secrets: [
      ["keystoreCredential", "password"],
      ["apiKeyCredential", "key"],
    ],
  }),
  filesets: defineEntityType("filesets", { noun: "fileset", idField: "id", schema: fileset }),
  config: defineEntityType("config", { noun: "configuration", idField: "name", schema: configuration }),
  docs: defineEntityType("docs", { noun: "doc", idField: "id", schema: doc, labels: [["name"], ["category"]] }),
  flowGroups: defineEntityType("flowGroups", { noun: "flow group", idField: "name", schema: flowGroup, labels: [["displayName"]] }),
  flowEnvironments: defineEntityType("flowEnvironments", {
    noun: "flow environment",
    idField: "name",
    schema: flowEnvironment,
    labels: [["displayName"]],
  }),
  joltSpecifications: defineEntityType("joltSpecifications", { noun: "Jolt specification", idField: "name", schema: joltSpecification }),
} as const satisfies { readonly [Type in AdministeredType]: { readonly name: Type; readonly routes: object } };

/** The body of a type. */
export type EntityBody<Type extends AdministeredType> = z.infer<(typeof entityDefinitions)[Type]["schema"]>;
