import { z } from "zod";
import { credential } from "./auth.ts";
import { route } from "./route.ts";
import { storableText } from "./text.ts";

/** The part of an account that its user may change. */
export const profileDraft = z
  .object({
    email: storableText.trim().min(4).max(320),
    firstName: storableText.trim().min(1).max(200),
    lastName: storableText.trim().min(1).max(200),
  })
  .meta({ id: "ProfileDraft" });
export type ProfileDraft = z.infer<typeof profileDraft>;

/** A user's own account. Values that were never set are empty. */
export const ownProfile = z
  .object({
    username: z.string(),
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    /** Sorted; includes the roles of groups. */
    roles: z.array(z.string()),
    /** Name and email come from the organization's OpenID Connect provider and cannot be changed here. */
    managed: z.literal(true).optional(),
  })
  .meta({ id: "Profile" });
export type OwnProfile = z.infer<typeof ownProfile>;

export const profile = {
  read: route({
    method: "GET",
    path: "/profile",
    access: "signed-in",
    summary: "The user's own account.",
    response: ownProfile,
  }),
  save: route({
    method: "PUT",
    path: "/profile",
    access: "signed-in",
    summary:
      "Change the user's own name and email. The next access token carries them. A new email needs a recent sign-in, else 401 with `sign-in-again`.",
    body: profileDraft,
    response: ownProfile,
  }),
  resetPassword: route({
    method: "PUT",
    path: "/profile/reset-password",
    access: "reset-token",
    summary: "Set the user's own password. With an ordinary token the sign-in must be younger than 10 minutes.",
    body: z.object({ password: credential }),
    response: z.undefined(),
    audit: "security",
  }),
};
