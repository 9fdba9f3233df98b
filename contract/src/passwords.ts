import { z } from "zod";

/** Password policy: the portal's specification or OWASP ASVS 5.0. */
export const passwordRules = z.enum(["specification", "asvs"]);
export type PasswordRules = z.infer<typeof passwordRules>;

/** Minimum length under the rules `asvs` (ASVS 6.2.1). */
export const asvsPasswordMinCharacters = 8;

/** Length that ASVS recommends. */
export const recommendedPasswordCharacters = 15;
