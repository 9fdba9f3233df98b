import { z } from "zod";
import { datasetRef } from "./datasets.ts";
import { route } from "./route.ts";
import { newKey, storedName } from "./text.ts";

/** Prefix of every key's value. */
export const apiKeyPrefix = "fwk_";

/** Separate header, for callers that already use `Authorization`. */
export const apiKeyHeader = "x-api-key";

const name = z.string().min(1).max(500);
const namesList = z.array(name).max(1_000);
const epochMs = z.int().positive().max(253_402_300_799_999);

/** The access that a key grants. */
const keyDraft = (keyName: z.ZodString) =>
  z
    .object({
      name: keyName,
      datasets: z
        .array(z.object({ datasetCategory: name, datasetId: name }))
        .max(1_000)
        .default([]),
      filesetIds: namesList.optional(),
      ecosystemNames: namesList.optional(),
      /** Named as in responses, so that a key can be read and sent back. `filesetIds` and `ecosystemNames` take precedence. */
      filesets: namesList.optional(),
      ecosystems: namesList.optional(),
      /** Whether it may add files to its dataset, which is the only thing that it opens and one of the caller's own. Set at creation only. */
      mayAppend: z.boolean().optional(),
      /** The roles of its owner that it acts with; null = all, now and later. An edit that omits it leaves it unchanged. */
      roles: namesList.nullable().optional(),
      /** When the key expires; null = never. An edit that omits it leaves it unchanged. */
      expiresAtMs: epochMs.nullable().optional(),
    })
    .transform(({ filesets = [], ecosystems = [], filesetIds = filesets, ecosystemNames = ecosystems, ...others }) => ({
      ...others,
      filesetIds,
      ecosystemNames,
    }));
/** The setting `apiKeyNameCharacters` limits the name further. */
export const apiKeyDraft = keyDraft(newKey(1_000)).meta({ id: "ApiKeyDraft" });
const apiKeyChange = keyDraft(storedName).meta({ id: "ApiKeyChange" });
export type ApiKeyDraft = z.infer<typeof apiKeyDraft>;

const scope = z.object({ datasets: z.array(datasetRef), filesets: z.array(z.string()), ecosystems: z.array(z.string()) });

export const apiKey = scope
  .extend({
    id: z.string(),
    name: z.string(),
    /** The full value in the response to a creation or rotation; otherwise only its end, such as `fwk_…x7Qa`. */
    key: z.string(),
    createdDateMs: z.number(),
    /** Rounded to the minute; null = never used. */
    lastUsedMs: z.number().nullable(),
    expiresAtMs: z.number().nullable(),
    /** The value before the last rotation works until then. */
    previousKeyEndsMs: z.number().nullable(),
    /** The roles that it acts with, as long as its owner has them. Missing: all of its owner's, now and later. */
    roles: z.array(z.string()).optional(),
    /** Missing: no. */
    mayAppend: z.literal(true).optional(),
    /** Access that the key lists but its owner has lost; the key cannot reach it either. */
    lost: scope,
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof apiKey>;

/** A key as administrators see it: with its owner, never with its value. */
export const ownedApiKey = apiKey
  .omit({ lost: true })
  .extend({ owner: z.object({ id: z.string(), username: z.string(), locked: z.boolean() }) })
  .meta({ id: "OwnedApiKey" });
export type OwnedApiKey = z.infer<typeof ownedApiKey>;

const rotation = z.object({
  /** How long the previous value keeps working; 0 = it stops at once. */
  overlapHours: z.int().min(0).max(168).default(24),
});

const byName = z.object({ name: z.string() });

/** Keys with which programs read data. A key belongs to one owner and never reaches more than its owner may use. */
export const apiKeys = {
  list: route({
    method: "GET",
    path: "/apiKeys",
    access: "signed-in",
    summary: "The user's API keys, without their values.",
    response: z.array(apiKey),
  }),
  create: route({
    method: "POST",
    path: "/apiKeys",
    access: "signed-in",
    summary: "Create an API key. Its value is returned only here. Needs a recent sign-in, else 401 with `sign-in-again`.",
    body: apiKeyDraft,
    response: apiKey,
    status: 201,
    audit: "security",
  }),
  edit: route({
    method: "PUT",
    path: "/apiKeys",
    access: "signed-in",
    summary: "Change what the API key of this name opens. Its value stays.",
    body: apiKeyChange,
    response: apiKey,
    audit: "security",
  }),
  remove: route({
    method: "DELETE",
    path: "/apiKeys/:name",
    access: "signed-in",
    summary: "Delete the user's API key of this name; it stops working immediately.",
    params: byName,
    response: z.undefined(),
    audit: "security",
  }),
  rotate: route({
    method: "POST",
    path: "/apiKeys/:name/rotate",
    access: "signed-in",
    summary:
      "Give the API key of this name a new value. It is returned only here; the previous value keeps working for a while. Needs a recent sign-in.",
    params: byName,
    body: rotation.prefault({}),
    response: apiKey,
    audit: "security",
  }),
};

export const apiKeyAdministration = {
  list: route({
    method: "GET",
    path: "/admin/apiKeys",
    access: { role: "admin" },
    summary: "The API keys of all users, with their owners and without their values.",
    response: z.array(ownedApiKey),
  }),
  revoke: route({
    method: "DELETE",
    path: "/admin/apiKeys/:id",
    access: { role: "admin" },
    summary: "Delete any user's API key; it stops working immediately.",
    params: z.object({ id: z.string() }),
    response: z.undefined(),
    audit: "security",
  }),
};
