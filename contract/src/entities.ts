import { z } from "zod";
import { errorItem } from "./errors.ts";
import { route } from "./route.ts";

/** An entity's id: a name that can stand in a path. Never holds '/'. */
export const entityId = z
  .string()
  .min(1)
  .max(200)
  .refine(
    (id) => !/[/\p{Cc}\p{Cs}]/u.test(id) && id !== "." && id !== "..",
    "is not a valid id: it must not hold '/' or control characters",
  );

/** Bytes of a file to import, and of the JSON of its entities without spaces; the call has room for spaces and what is around it. */
export const importFileBytes = 2_000_000;
const importBodyBytes = importFileBytes * 2;

/** How deep lists and objects of an entity may lie in each other. */
const deepest = 60;

/** Looks without recursion: what arrives may be as deep as a body is long. */
function isDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return true;
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return false;
}

export const shallow = (value: unknown): boolean => !isDeep(value);
export const tooDeep = `lies more than ${deepest} lists and objects deep`;

/** As administrators send it: the type's fields, and `version` and `enabled` where they are known. */
const draft = z.looseObject({}).refine(shallow, tooDeep);

/** Why an entity does not work as it stands. It is stored all the same: what is missing may come later. */
export const entityWarning = z
  .object({
    /** What kind of problem, such as `data-missing` or `unknown-role`. More kinds may follow. */
    code: z.string(),
    message: z.string(),
    /** The field that it is about, such as `source.glob`. */
    path: z.string().optional(),
  })
  .meta({ id: "EntityWarning" });
export type EntityWarning = z.infer<typeof entityWarning>;

/** As it is answered: the type's fields, secrets masked, and what the portal knows of it. */
const entity = z.looseObject({
  /** Counts up with each save. A save that names an older one is refused with `stale-version`; one without is accepted. */
  version: z.int(),
  /** Of types that can be disabled. */
  enabled: z.boolean().optional(),
  /** Found out anew for each answer, and left out where there are none. Ignored in what is sent. */
  warnings: z.array(entityWarning).optional(),
});
export type Entity = z.infer<typeof entity>;

const entityImport = z
  .object({
    /** Whatever the file holds: what is no entity is refused by its place. */
    entities: z.array(z.unknown()).max(100_000).refine(shallow, tooDeep),
    /** True: only what is imported stays. */
    isReplace: z.boolean(),
  })
  .meta({ id: "EntityImport" });

const refusedEntity = z.object({
  /** The place in the import; null where the refused thing is one that would be removed. */
  index: z.int().nullable(),
  id: z.string().nullable(),
  errors: z.array(errorItem).min(1),
});

/** What an import would do. Where anything is refused, it would do nothing. */
const importPreview = z
  .object({
    added: z.array(z.string()),
    changed: z.array(z.string()),
    unchanged: z.array(z.string()),
    removed: z.array(z.string()),
    refused: z.array(refusedEntity),
    /** What would be stored although it does not work as it stands. Left out where there is nothing. */
    warned: z.array(z.object({ id: z.string(), warnings: z.array(entityWarning).min(1) })).optional(),
  })
  .meta({ id: "EntityImportPreview" });
export type ImportPreview = z.infer<typeof importPreview>;

export const bulkAction = z.enum(["enable", "disable", "delete"]);

const bulkChange = z.object({ ids: z.array(z.string().max(200)).min(1).max(10_000), action: bulkAction }).meta({ id: "BulkChange" });

/** Each entity on its own: what is refused does not hold back the others. */
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
  /** By the user, of the own account. */
  "profile",
  "password",
]);
export type RevisionAction = z.infer<typeof revisionAction>;

const revision = z
  .object({
    /** Counts up over all entities. */
    revision: z.int(),
    atMs: z.int(),
    /** The username; null: the portal itself. */
    by: z.string().nullable(),
    action: revisionAction,
  })
  .meta({ id: "EntityRevision" });
export type Revision = z.infer<typeof revision>;

const state = z.record(z.string(), z.unknown()).nullable();

/** Null: it was not there. Secrets are masked. */
const revisionDetails = revision.extend({ before: state, after: state }).meta({ id: "EntityRevisionDetails" });
export type RevisionDetails = z.infer<typeof revisionDetails>;

const byId = z.object({ id: z.string().max(1_000) });
const byRevision = byId.extend({ revision: z.coerce.number().pipe(z.int().positive().max(Number.MAX_SAFE_INTEGER)) });

/**
 * The calls that every type has. `type` is its path segment, `noun` names one in a sentence.
 *
 * POST answers 201 with the saved entity, PUT, enable and disable 200 with it, DELETE 204. Every refusal is
 * `{"errors":[{code, message, path?}]}`: `invalid-request` and `invalid-value` name the field, `stale-version` a save on top of
 * an older version (`GET` then has the newest), `in-use` what still refers to an entity that is to go. What can be stored but
 * does not work is stored, and its `warnings` say why.
 */
export const entityRoutes = <const Type extends string>(type: Type, noun: string, schema: z.ZodObject) => {
  const documentedBody = schema
    .safeExtend({ version: z.int().optional(), enabled: z.boolean().optional() })
    .meta({ id: `${noun.replaceAll(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase())}Draft` });
  // Who may do what: recorded before the answer leaves.
  const recorded: { audit?: "security" } = ["users", "groups", "roles"].includes(type) ? { audit: "security" } : {};
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
      summary: `Delete a ${noun} that nothing refers to.`,
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
      summary: "Import all or nothing: add, overwrite those of the same id, and with isReplace remove the rest. Answers the new list.",
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
      response: z.record(z.string(), z.unknown()),
    }),
  } as const;
};
export type EntityRoutes = ReturnType<typeof entityRoutes<string>>;
