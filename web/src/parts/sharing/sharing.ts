import { formatCount } from "@fairway/contract/counts";
import type { OwnerState, OwnOrShared, Share } from "@fairway/contract/sharing";

/** A shared thing, as far as lists say whose it is and what the reader may do. */
interface SharedThing {
  readonly can: OwnOrShared;
  readonly shares: readonly Share[];
  /** Username; empty if the account has been deleted. */
  readonly owner: string;
  readonly ownerState: OwnerState;
}

/** More recipients are counted. */
const maxNamed = 3;

/** Those with whom a thing is shared, within a sentence. */
export function recipientsText(shares: readonly Share[]): string {
  const names = shares.slice(0, maxNamed).map(({ to: { kind, name } }) => (kind === "everyone" ? "everyone" : name));
  const more = shares.length - names.length;
  return more > 0 ? `${names.join(", ")} and ${formatCount(more)} more` : names.join(", ");
}

/** The person who shares a thing, and the state of the account. */
export function sharedByText({ owner, ownerState }: Pick<SharedThing, "owner" | "ownerState">): string {
  if (ownerState === "gone") return "shared by a deleted account";
  return ownerState === "disabled" ? `shared by ${owner}, whose account is disabled` : `shared by ${owner}`;
}

/** Whose a thing is, with whom it is shared, and what the reader may do: parts of a line. */
export function sharingTexts(thing: SharedThing): string[] {
  const { can, shares } = thing;
  if (can === "own") return [shares.length === 0 ? "only for you" : `shared with ${recipientsText(shares)}`];
  return [sharedByText(thing), can === "edit" ? "you can edit it" : "view only"];
}

/** Whether the reader has a share of its own to leave: those of groups, roles and everyone stay. */
export const mayLeave = ({ can, shares }: Pick<SharedThing, "can" | "shares">): boolean =>
  can !== "own" && shares.some(({ to }) => to.kind === "user");
