import { z } from "zod";
import { route } from "./route.ts";

/** What changes how an account is signed in to. Words of the two sides: the web app has a sentence for each. */
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
]);
export type SecurityEventKind = z.infer<typeof securityEventKind>;

/** One line of an account's history. Never a secret. */
export const securityEvent = z
  .object({
    id: z.string(),
    atMs: z.number(),
    kind: securityEventKind,
    /** What it happened to, such as the name of a passkey. */
    subject: z.string().nullable(),
    /** Username of the administrator who did it; null: the account's own user. */
    by: z.string().nullable(),
  })
  .meta({ id: "SecurityEvent" });
export type SecurityEvent = z.infer<typeof securityEvent>;

export const ownSecurityEvents = {
  list: route({
    method: "GET",
    path: "/profile/security-events",
    access: "signed-in",
    summary: "The latest 50 changes of how one's account is signed in to, newest first.",
    response: z.array(securityEvent),
  }),
};
