import { everyone } from "@fairway/contract/access";
import type { OwnOrShared } from "@fairway/contract/sharing";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";

/** The roles of a user, with the one that everyone holds. */
export const heldRoles = ({ roles }: Pick<SignedInUser, "roles">): string[] => [...roles, everyone];

/** The roles of a shared thing that are shown to a reader: to others than the owner, only those that they hold. */
export const visibleRoles = (user: SignedInUser, roles: readonly string[], can: OwnOrShared): string[] =>
  roles.filter((role) => can === "own" || heldRoles(user).includes(role));

/**
 * The roles that a user shares something with, each once. Everyone may share with everyone. Refuses with `invalid-value` another role
 * that the user does not hold; `alsoAllowed` are those that stay possible, such as those of before, of which the owner may have lost one.
 */
export function requireOwnRoles(user: SignedInUser, roles: readonly string[], alsoAllowed: readonly string[] = []): string[] {
  const unique = [...new Set(roles)];
  const foreign = unique.find((role) => !heldRoles(user).includes(role) && !alsoAllowed.includes(role));
  if (foreign !== undefined) {
    throw new Refusal("invalid-value", `You do not have the role '${foreign}', so you cannot share with it.`, { path: "sharedWithRoles" });
  }
  return unique;
}
