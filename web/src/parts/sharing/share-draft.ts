import type { Share, ShareCandidate, ShareDraft } from "@fairway/contract/sharing";

export const everyoneCandidate: ShareCandidate = { kind: "everyone", name: "Everyone" };

/** Tells recipients apart. */
export const recipientKey = ({ kind, id, name }: ShareCandidate): string => JSON.stringify([kind, id ?? name]);

/** A share as it is sent. */
export function draftOf({ to: { kind, id = "", name }, can }: Share): ShareDraft {
  if (kind === "user" || kind === "group") return { to: { kind, id }, can };
  return { to: kind === "role" ? { kind, name } : { kind: "everyone" }, can };
}

export const kindNames: Readonly<Record<ShareCandidate["kind"], string>> = {
  user: "Person",
  group: "Group",
  role: "Role",
  everyone: "Everyone who is signed in",
};
