import { z } from "zod";

/** Which passwords may be chosen: as the specification of the portal says, or as OWASP ASVS 5.0 does. */
export const passwordRules = z.enum(["specification", "asvs"]);
export type PasswordRules = z.infer<typeof passwordRules>;

/** The shortest password under the rules `asvs` (ASVS 6.2.1). */
export const asvsPasswordMinCharacters = 8;

/** What ASVS recommends. */
export const recommendedPasswordCharacters = 15;
