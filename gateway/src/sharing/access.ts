import type { OwnOrShared, ShareCan } from "@fairway/contract/sharing";
import type { SignedInUser } from "#http/signed-in-user.ts";

export interface StoredShare {
  readonly kind: "user" | "group" | "role" | "everyone";
  /** Id of a user or group, name of a role, empty for everyone. */
  readonly target: string;
  readonly can: ShareCan;
}

/** Who may do what with a thing that can be shared. */
export interface Sharing {
  /** Null once the account is gone. */
  readonly ownerId: string | null;
  readonly shares: readonly StoredShare[];
}

/** Whether a share reaches a reader. */
export function reaches({ kind, target }: StoredShare, { id, roles, groups }: SignedInUser): boolean {
  switch (kind) {
    case "user":
      return target === id;
    case "group":
      return groups.includes(target);
    case "role":
      return roles.includes(target);
    case "everyone":
      return true;
    default:
      return kind satisfies never;
  }
}

/** The rights of a reader; undefined if the thing does not exist for the reader. Administrators are readers like all others. */
export function mayDo({ ownerId, shares }: Sharing, reader: SignedInUser): OwnOrShared | undefined {
  if (ownerId === reader.id) return "own";
  const reaching = shares.filter((share) => reaches(share, reader));
  if (reaching.length === 0) return undefined;
  return reaching.some(({ can }) => can === "edit") ? "edit" : "view";
}
