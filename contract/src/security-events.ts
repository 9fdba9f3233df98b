import { z } from "zod";
import { route } from "./route.ts";

/** Changes to how an account signs in. The web app has a sentence for each. */
export const securityEventKind = z.enum([
  "password-changed",
  "email-changed",
  "authenticator-added",
  "authenticator-removed",
  "passkey-added",
  "passkey-removed",
  "recovery-codes-made",
  "recovery-code-used",
  "second-factors-removed",
  "card-linked",
  "card-unlinked",
  "provider-linked",
  "provider-unlinked",
]);
export type SecurityEventKind = z.infer<typeof securityEventKind>;

/** An entry of an account's security activity. Never contains a secret. */
export const securityEvent = z
  .object({
    id: z.string(),
    atMs: z.number(),
    kind: securityEventKind,
    /** Name of the changed thing, such as a passkey. */
    subject: z.string().nullable(),
    /** Username of the administrator who made the change; null = the account's own user. */
    by: z.string().nullable(),
  })
  .meta({ id: "SecurityEvent" });
export type SecurityEvent = z.infer<typeof securityEvent>;

export const ownSecurityEvents = {
  list: route({
    method: "GET",
    path: "/profile/security-events",
    access: "signed-in",
    summary: "The latest 50 changes to how the user's account is signed in to, newest first.",
    response: z.array(securityEvent),
  }),
};
