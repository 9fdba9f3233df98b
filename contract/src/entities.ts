import { z } from "zod";
import { errorItem } from "./errors.ts";
import { entityWarning } from "./entity-warning.ts";
import { route } from "./route.ts";
import { recordOf } from "./records.ts";

/** An entity's id: a name that can be part of a path. Never contains '/'. */
export const entityId = z
  .string()
  .min(1)
  .max(200)
  .refine(
    (id) => !/[/\p{Cc}\p{Cs}]/u.test(id) && id !== "." && id !== "..",
    "is not a valid id: it must not contain '/' or control characters",
  );

/** Maximum size of an import file and of its entities as compact JSON. The body limit leaves room for whitespace and the envelope. */
export const importFileBytes = 2_000_000;
const importBodyBytes = importFileBytes * 2;

/** Maximum nesting depth of an entity's lists and objects. */
const maxDepth = 60;

/** Iterative, because untrusted input may be nested as deep as the body is long. */
function isDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return false;
}

export const shallow = (value: unknown): boolean => !isDeep(value);
export const tooDeep = `is nested more than ${maxDepth} levels deep`;

/** An entity as administrators send it: the type's fields, plus optional `version` and `enabled`. */
const draft = z.looseObject({}).refine(shallow, tooDeep);

/** An entity in responses: the type's fields with secrets masked, plus what the portal knows about it. */
const entity = z.looseObject({
  /** Incremented on each save. A save with an older version is refused with `stale-version`; one without a version is accepted. */
  version: z.int(),
  /** Only for types that can be disabled. */
  enabled: z.boolean().optional(),
  /** Computed for each response and omitted if empty. Ignored in requests. */
  warnings: z.array(entityWarning).optional(),
});
export type Entity = z.infer<typeof entity>;

const entityImport = z
  .object({
    /** Contents of the file. Items that are not entities are refused by their index. */
    entities: z.array(z.unknown()).max(100_000).refine(shallow, tooDeep),
    /** Whether to remove all entities that are not imported. */
    isReplace: z.boolean(),
  })
  .meta({ id: "EntityImport" });

const refusedEntity = z.object({
  /** Index in the import; null if the refused entity is one that would be removed. */
  index: z.int().nullable(),
  id: z.string().nullable(),
  errors: z.array(errorItem).min(1),
});

/** Outcome of an import before it is made. If anything is refused, the import does nothing. */
const importPreview = z
  .object({
    added: z.array(z.string()),
    changed: z.array(z.string()),
    unchanged: z.array(z.string()),
    removed: z.array(z.string()),
    refused: z.array(refusedEntity),
    /** Entities that would be stored with warnings. Omitted if there are none. */
    warned: z.array(z.object({ id: z.string(), warnings: z.array(entityWarning).min(1) })).optional(),
    /** Consequences for changed entities, in words that follow their names: `keeps its access rules`, `changes who sees it`. */
    noted: z.array(z.object({ id: z.string(), notes: z.array(z.string()).min(1) })).optional(),
  })
  .meta({ id: "EntityImportPreview" });
export type ImportPreview = z.infer<typeof importPreview>;

export const bulkAction = z.enum(["enable", "disable", "delete"]);

const bulkChange = z.object({ ids: z.array(z.string().max(200)).min(1).max(10_000), action: bulkAction }).meta({ id: "BulkChange" });

/** Entities are changed independently: a refusal does not affect the others. */
const bulkResult = z
  .object({ changed: z.array(z.string()), refused: z.array(z.object({ id: z.string(), errors: z.array(errorItem).min(1) })) })
  .meta({ id: "BulkResult" });
export type BulkResult = z.infer<typeof bulkResult>;

export const revisionAction = z.enum([
  "create",
  "edit",
  "enable",
  "disable",
  "delete",
  "import",
  "restore",
  "unlock",
  "description",
  "schema",
  /** By users, on their own account. */
  "profile",
  "password",
]);
export type RevisionAction = z.infer<typeof revisionAction>;

const revision = z
  .object({
    /** Increases across all entities. */
    revision: z.int(),
    atMs: z.int(),
    /** Username; null = the portal itself. */
    by: z.string().nullable(),
    action: revisionAction,
  })
  .meta({ id: "EntityRevision" });
export type Revision = z.infer<typeof revision>;

const state = recordOf(z.string(), z.unknown()).nullable();

/** A null state means that the entity did not exist. Secrets are masked. */
const revisionDetails = revision
  .extend({
    before: state,
    after: state,
    /** Consequences of restoring it now, in the words of an import's preview. Omitted if there is nothing to say. */
    notes: z.array(z.string()).min(1).optional(),
  })
  .meta({ id: "EntityRevisionDetails" });
export type RevisionDetails = z.infer<typeof revisionDetails>;

const byId = z.object({ id: z.string().max(1_000) });
const byRevision = byId.extend({ revision: z.coerce.number().pipe(z.int().positive().max(Number.MAX_SAFE_INTEGER)) });

/**
 * The calls that every entity type has. `type` is its path segment, `noun` its name in sentences.
 *
 * POST returns 201 with the saved entity; PUT, enable and disable return 200 with it; DELETE returns 204. Every refusal is
 * `{"errors":[{code, message, path?}]}`: `invalid-request` and `invalid-value` name the field, `stale-version` means that the
 * save is based on an older version (`GET` returns the newest), `in-use` names what still refers to the entity. An entity that
 * is valid but does not work is stored, and its `warnings` say why.
 */
export const entityRoutes = <const Type extends string>(type: Type, noun: string, schema: z.ZodObject) => {
  const documentedBody = schema
    .safeExtend({ version: z.int().optional(), enabled: z.boolean().optional() })
    .meta({ id: `${noun.replaceAll(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase())}Draft` });
  // Changes of permissions are recorded before the response is sent.
  const decidesAccess = ["users", "groups", "roles", "datasets/internal", "datasets/external"].includes(type);
  const recorded: { audit?: "security" } = decidesAccess ? { audit: "security" } : {};
  // Not a literal type: the route of users says more.
  const removal: string = `Delete a ${noun} that nothing refers to.`;
  return {
    list: route({
      method: "GET",
      path: `/admin/${type}`,
      access: { role: "admin" },
      summary: `Every ${noun}, in the order of ids.`,
      response: z.array(entity),
    }),
    get: route({
      method: "GET",
      path: `/admin/${type}/:id/current`,
      access: { role: "admin" },
      summary: `One ${noun} as it stands now.`,
      params: byId,
      response: entity,
    }),
    create: route({
      ...recorded,
      method: "POST",
      path: `/admin/${type}`,
      access: { role: "admin" },
      summary: `Create a ${noun}.`,
      body: draft,
      documentedBody,
      response: entity,
      status: 201,
    }),
    edit: route({
      ...recorded,
      method: "PUT",
      path: `/admin/${type}`,
      access: { role: "admin" },
      summary: `Change the ${noun} that the body's id names.`,
      body: draft,
      documentedBody,
      response: entity,
    }),
    remove: route({
      ...recorded,
      method: "DELETE",
      path: `/admin/${type}/:id`,
      access: { role: "admin" },
      summary: removal,
      params: byId,
      response: z.undefined(),
    }),
    enable: route({
      ...recorded,
      method: "PUT",
      path: `/admin/${type}/:id/enable`,
      access: { role: "admin" },
      summary: `Enable a ${noun}.`,
      params: byId,
      response: entity,
    }),
    disable: route({
      ...recorded,
      method: "PUT",
      path: `/admin/${type}/:id/disable`,
      access: { role: "admin" },
      summary: `Disable a ${noun}.`,
      params: byId,
      response: entity,
    }),
    import: route({
      ...recorded,
      method: "PUT",
      path: `/admin/${type}/import`,
      access: { role: "admin" },
      summary: "Import all or nothing: add, overwrite those of the same id, and with isReplace remove the rest. Returns the new list.",
      body: entityImport,
      bodyLimit: importBodyBytes,
      response: z.array(entity),
    }),
    previewImport: route({
      method: "POST",
      path: `/admin/${type}/import/preview`,
      access: { role: "admin" },
      summary: "What an import would add, change, remove and refuse. Changes nothing.",
      body: entityImport,
      bodyLimit: importBodyBytes,
      response: importPreview,
    }),
    bulk: route({
      ...recorded,
      method: "PUT",
      path: `/admin/${type}/bulk`,
      access: { role: "admin" },
      summary: "Enable, disable or delete several; each on its own.",
      body: bulkChange,
      response: bulkResult,
    }),
    revisions: route({
      method: "GET",
      path: `/admin/${type}/:id/revisions`,
      access: { role: "admin" },
      summary: `Every change of a ${noun}, newest first; also of one that is deleted.`,
      params: byId,
      response: z.array(revision),
    }),
    revision: route({
      method: "GET",
      path: `/admin/${type}/:id/revisions/:revision`,
      access: { role: "admin" },
      summary: "One change, with the state before and after.",
      params: byRevision,
      response: revisionDetails,
    }),
    restore: route({
      ...recorded,
      method: "PUT",
      path: `/admin/${type}/:id/revisions/:revision/restore`,
      access: { role: "admin" },
      summary: "Save the state after a change again, or before it where the change is a deletion.",
      params: byRevision,
      response: entity,
    }),
    schema: route({
      method: "GET",
      path: `/admin/${type}/schema`,
      access: { role: "admin" },
      summary: `The JSON schema of a ${noun}, for the hints of an editor.`,
      response: recordOf(z.string(), z.unknown()),
    }),
  } as const;
};
export type EntityRoutes = ReturnType<typeof entityRoutes<string>>;
