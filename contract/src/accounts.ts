import { z } from "zod";
import { credential } from "./auth.ts";
import { route } from "./route.ts";
import { securityEvent } from "./security-events.ts";
import { newKey, plainLine, storableText, storedName } from "./text.ts";

const id = z.string().min(1).max(200);
const name = storedName.min(1).max(200);

/** Validates new or changed names of groups and roles. Existing names are not validated again. */
export const newAccountName = newKey(200);

/** Resolved by id if there is one, otherwise by name. */
const reference = z
  .strictObject({ id: id.optional(), name: storableText.max(200).optional() })
  .refine((value) => value.id !== undefined || value.name !== undefined, "names neither an id nor a name");

const optionalText = (min: number, max: number) =>
  z
    .union([z.literal(""), storableText.trim().min(min).max(max)])
    .nullable()
    .optional()
    .transform((value) => value ?? "");

/** Minimum length of a password that an administrator sets. */
export const adminPasswordMinCharacters = 4;

const named = z.strictObject({ id: z.string(), name: z.string() });

/** A user as administrators save it. Strict: unknown fields are refused, not ignored. */
export const userDraft = z.strictObject({
  /** Assigned by the server. */
  id: id.optional(),
  /** Fixed after creation. */
  username: storedName.min(1),
  email: optionalText(3, 320),
  firstName: optionalText(1, 200),
  lastName: optionalText(1, 200),
  groups: z.array(reference).max(1_000).default([]),
  /** Direct roles; the roles of the user's groups are added to these. */
  roles: z.array(reference).max(1_000).default([]),
  password: z
    .strictObject({
      /** Whether `value` becomes the password. */
      setPassword: z.boolean().default(false),
      value: z
        .union([z.literal(""), credential])
        .nullable()
        .default(""),
      /** Whether the next sign-in requires a new password. Omitted: unchanged. */
      requirePasswordChange: z.boolean().optional(),
    })
    .refine(({ setPassword, value }) => !setPassword || (value ?? "").length >= adminPasswordMinCharacters, {
      path: ["value"],
      message: `A password needs at least ${adminPasswordMinCharacters} characters.`,
    })
    .optional(),
  /** Set in responses if the user has a second factor; ignored in requests. */
  secondFactor: z.boolean().optional(),
  /** Set in responses for an account that is linked to a person of the OpenID Connect provider; ignored in requests. */
  provider: z.strictObject({ madeAccount: z.boolean(), groups: z.array(named), roles: z.array(named) }).optional(),
  /**
   * `disabled` locks the user out. Omitted: unchanged. `byFailures` marks a temporary lock caused only by failed sign-ins;
   * `disabled: true` sent back together with it changes nothing.
   */
  lockStatus: z.strictObject({ disabled: z.boolean(), byFailures: z.boolean().optional() }).optional(),
});
export type UserDraft = z.infer<typeof userDraft>;

/** Validates new or changed display texts of a user. Existing texts are not validated again. */
export const newUserTexts = z.object({ email: plainLine(0, 320), firstName: plainLine(0, 200), lastName: plainLine(0, 200) });

export const groupDraft = z.strictObject({
  id: id.optional(),
  name,
  /** Names of roles that exist. */
  realmRoles: z.array(storableText.max(200)).max(1_000).default([]),
});

export const roleDraft = z.strictObject({ id: id.optional(), name });

const lockStatus = z.object({ disabled: z.boolean() }).meta({ id: "LockStatus" });
const byId = z.object({ id: z.string().max(1_000) });

/** The person of the OpenID Connect provider whom a user's account is linked to. */
const providerLink = z
  .object({
    issuer: z.string(),
    /** Null until the person signs in again, for a link that is older than its storage. */
    subject: z.string().nullable(),
    linkedTimestamp: z.iso.datetime(),
    /** The person's first sign-in made the account. */
    madeAccount: z.boolean(),
  })
  .meta({ id: "ProviderLink" });
export type ProviderLink = z.infer<typeof providerLink>;

/** Takes the place of the call that every entity type has. */
export const userRemoval = route({
  method: "DELETE",
  path: "/admin/users/:id",
  access: { role: "admin" },
  summary:
    "Delete a user. What others have of the user's boards, saved searches and own datasets stays without owner; `transferTo` gives all of them to another enabled account first. 409 if that one has no room for them.",
  params: byId,
  query: z.object({ transferTo: id.optional() }),
  response: z.undefined(),
  audit: "security",
});

/** Calls on users in addition to those that every entity type has. */
export const userAdministration = {
  groups: route({
    method: "GET",
    path: "/admin/users/:id/groups",
    access: { role: "admin" },
    summary: "The groups of a user.",
    params: byId,
    response: z.array(named),
  }),
  roles: route({
    method: "GET",
    path: "/admin/users/:id/roles",
    access: { role: "admin" },
    summary: "The roles of a user, those of groups among them.",
    params: byId,
    response: z.array(named),
  }),
  lockStatus: route({
    method: "GET",
    path: "/admin/users/:id/lockStatus",
    access: { role: "admin" },
    summary: "Whether the user is locked, by an administrator or after failed sign-ins.",
    params: byId,
    response: lockStatus,
  }),
  removeSecondFactors: route({
    method: "DELETE",
    path: "/admin/users/:id/secondFactors",
    access: { role: "admin" },
    summary: "Remove a user's authenticator app, passkeys and recovery codes, for someone who has lost them.",
    params: byId,
    response: z.undefined(),
    audit: "security",
  }),
  providerLink: route({
    method: "GET",
    path: "/admin/users/:id/providerLink",
    access: { role: "admin" },
    summary: "The person of the OpenID Connect provider whom a user's account is linked to; null if there is none.",
    params: byId,
    response: providerLink.nullable(),
  }),
  linkProvider: route({
    method: "PUT",
    path: "/admin/users/:id/providerLink",
    access: { role: "admin" },
    summary:
      "Link a user's account to a person of the OpenID Connect provider, who can then sign in to it. 409 if the person has another account, or the account another person.",
    params: byId,
    body: z.object({
      /** The claim `sub` of the person. */
      subject: storableText.min(1).max(500),
    }),
    response: providerLink,
    audit: "security",
  }),
  unlinkProvider: route({
    method: "DELETE",
    path: "/admin/users/:id/providerLink",
    access: { role: "admin" },
    summary:
      "Unlink a user's account from its person, and take the person's roles and groups away. Sessions that were started at the provider end. 409 for an account without a password.",
    params: byId,
    response: z.undefined(),
    audit: "security",
  }),
  securityEvents: route({
    method: "GET",
    path: "/admin/users/:id/securityEvents",
    access: { role: "admin" },
    summary: "The latest 50 changes of how a user signs in, newest first.",
    params: byId,
    response: z.array(securityEvent),
  }),
  unlock: route({
    method: "PUT",
    path: "/admin/users/:id/unlock",
    access: { role: "admin" },
    summary: "Unlock the user: ends every lock.",
    params: byId,
    response: lockStatus,
    audit: "security",
  }),
};
