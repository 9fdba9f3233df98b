import { z } from "zod";
import { credential } from "./auth.ts";
import { route } from "./route.ts";
import { securityEvent } from "./security-events.ts";
import { newKey, plainLine, storableText, storedName } from "./text.ts";

const id = z.string().min(1).max(200);
const name = storedName.min(1).max(200);

/** Names of groups and roles that are new or changed; others stay as they were saved. */
export const newAccountName = newKey(200);

/** Found by id where there is one, else by name. */
const reference = z
  .strictObject({ id: id.optional(), name: storableText.max(200).optional() })
  .refine((one) => one.id !== undefined || one.name !== undefined, "names neither an id nor a name");

const optionalText = (least: number, most: number) =>
  z
    .union([z.literal(""), storableText.trim().min(least).max(most)])
    .nullable()
    .optional()
    .transform((value) => value ?? "");

/** Characters of a password that an administrator sets. */
export const adminPasswordMinCharacters = 4;

/** A user as administrators save it. Strict: a field that nobody may set is refused, not ignored. */
export const userDraft = z.strictObject({
  /** Given by the server. */
  id: id.optional(),
  /** Fixed after creation. */
  username: storedName.min(1),
  email: optionalText(3, 320),
  firstName: optionalText(1, 200),
  lastName: optionalText(1, 200),
  groups: z.array(reference).max(1_000).default([]),
  /** Direct ones; those of the groups come on top. */
  roles: z.array(reference).max(1_000).default([]),
  password: z
    .strictObject({
      /** Whether `value` becomes the password. */
      setPassword: z.boolean().default(false),
      value: z
        .union([z.literal(""), credential])
        .nullable()
        .default(""),
      /** Asked for at the next sign-in. Left out: stays as it is. */
      requirePasswordChange: z.boolean().optional(),
    })
    .refine(({ setPassword, value }) => !setPassword || (value ?? "").length >= adminPasswordMinCharacters, {
      path: ["value"],
      message: `A password needs at least ${adminPasswordMinCharacters} characters.`,
    })
    .optional(),
  /** Answered where the user has a second factor; ignored when it comes back. */
  secondFactor: z.boolean().optional(),
  /**
   * `disabled` locks the user out; left out: stays as it is. `byFailures` stands where failed sign-ins alone lock the user, for
   * a while: sent back with it, `disabled: true` asks for nothing.
   */
  lockStatus: z.strictObject({ disabled: z.boolean(), byFailures: z.boolean().optional() }).optional(),
});
export type UserDraft = z.infer<typeof userDraft>;

/** What people read of a user, where it is new or changed; the rest stays as it was saved. */
export const newUserTexts = z.object({ email: plainLine(0, 320), firstName: plainLine(0, 200), lastName: plainLine(0, 200) });

export const groupDraft = z.strictObject({
  id: id.optional(),
  name,
  /** Names of roles that exist. */
  realmRoles: z.array(storableText.max(200)).max(1_000).default([]),
});

export const roleDraft = z.strictObject({ id: id.optional(), name });

const named = z.object({ id: z.string(), name: z.string() });
const lockStatus = z.object({ disabled: z.boolean() }).meta({ id: "LockStatus" });
const byId = z.object({ id: z.string().max(1_000) });

/** The calls on users beside the ones that every type has. */
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
    summary: "Whether any lock holds the user: an administrator's, or one that failed sign-ins caused.",
    params: byId,
    response: lockStatus,
  }),
  removeSecondFactors: route({
    method: "DELETE",
    path: "/admin/users/:id/secondFactors",
    access: { role: "admin" },
    summary: "Remove a user's authenticator app, passkeys and recovery codes, for somebody who has lost them.",
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
    summary: "End every lock that holds the user.",
    params: byId,
    response: lockStatus,
    audit: "security",
  }),
};
