import type { SignedInUser } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";

/**
 * The roles that a user shares something with, each once. Refuses with `invalid-value` a role that the user does not hold;
 * `alsoAllowed` are others that stay possible, such as those of before, of which the owner may have lost one.
 */
export function requireOwnRoles(user: SignedInUser, roles: readonly string[], alsoAllowed: readonly string[] = []): string[] {
  const unique = [...new Set(roles)];
  const foreign = unique.find((role) => !user.roles.includes(role) && !alsoAllowed.includes(role));
  if (foreign !== undefined) {
    throw new Refusal("invalid-value", `You do not hold the role '${foreign}' and cannot share with it.`, { path: "sharedWithRoles" });
  }
  return unique;
}
