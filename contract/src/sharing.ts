import { z } from "zod";
import { route } from "./route.ts";

/** Those with whom a thing is shared: one account, the members of a group, holders of a role, or everyone who is signed in. */
export const shareTo = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("user"), id: z.string().max(200) }),
  z.object({ kind: z.literal("group"), id: z.string().max(200) }),
  z.object({ kind: z.literal("role"), name: z.string().min(1).max(200) }),
  z.object({ kind: z.literal("everyone") }),
]);
export type ShareTo = z.infer<typeof shareTo>;

export const shareCan = z.enum(["view", "edit"]);
export type ShareCan = z.infer<typeof shareCan>;

export const shareDraft = z.object({ to: shareTo, can: shareCan });
export type ShareDraft = z.infer<typeof shareDraft>;

export const maxShares = 100;

/** At most one entry for each recipient. */
export const shareDrafts = z.array(shareDraft).max(maxShares);

/** A share as it is shown: `name` is the username, the name of the group or role, or `Everyone`. */
export const share = z
  .object({
    to: z.object({ kind: z.enum(["user", "group", "role", "everyone"]), id: z.string().optional(), name: z.string() }),
    can: shareCan,
  })
  .meta({ id: "Share" });
export type Share = z.infer<typeof share>;

/** The caller's rights on a shared thing. */
export const ownOrShared = z.enum(["own", "edit", "view"]);
export type OwnOrShared = z.infer<typeof ownOrShared>;

/** The account of a thing's owner: `disabled` accounts cannot sign in, and those that are `gone` have been deleted. */
export const ownerState = z.enum(["active", "disabled", "gone"]);
export type OwnerState = z.infer<typeof ownerState>;

/** Routes by which a thing is shared, left and given away have these bodies. */
export const newShares = z.object({ shares: shareDrafts });
export const newOwner = z.object({ userId: z.string().max(200) });

/** An account, group or role that a thing can be shared with. */
const candidate = z
  .object({ kind: z.enum(["user", "group", "role", "everyone"]), id: z.string().optional(), name: z.string() })
  .meta({ id: "ShareCandidate" });
export type ShareCandidate = z.infer<typeof candidate>;

export const sharing = {
  candidates: route({
    method: "GET",
    path: "/sharing/candidates",
    access: "signed-in",
    summary: "Accounts, groups and roles whose names contain a text, for sharing. At most 20; accounts that are locked are not among them.",
    query: z.object({ text: z.string().min(2).max(100) }),
    response: z.array(candidate),
  }),
};

export const ownedKind = z.enum(["board", "savedSearch", "ownDataset"]);
export type OwnedKind = z.infer<typeof ownedKind>;

const ownerlessEntry = z
  .object({
    kind: ownedKind,
    id: z.string(),
    name: z.string(),
    /** The username of the account that had it; empty if it is not known. */
    formerOwner: z.string(),
    /** Empty of an own dataset that goes soon, because nobody else has it. */
    shares: z.array(share),
  })
  .meta({ id: "OwnerlessEntry" });
export type OwnerlessEntry = z.infer<typeof ownerlessEntry>;

const counts = z.object({ board: z.int(), savedSearch: z.int(), ownDataset: z.int() });

const ownedThings = z
  .object({
    /** All that the account owns and can give away, by kind. */
    counts,
    /** Those of them that others have, by kind and name. What an account keeps for itself has no name here. */
    shared: z.array(z.object({ kind: ownedKind, id: z.string(), name: z.string() })),
  })
  .meta({ id: "OwnedThings" });
export type OwnedThings = z.infer<typeof ownedThings>;

const admin = { role: "admin" };
/** `kind`: see `ownedKind`. Of another one, nothing is found. */
const ownerlessParams = z.object({ kind: z.string().max(200), id: z.string().max(200) });

/** Things whose owners' accounts have been deleted, and those of an account that is about to be. */
export const ownership = {
  ownerless: route({
    method: "GET",
    path: "/admin/ownerless",
    access: admin,
    summary: "Boards, saved searches and own datasets whose owner's account has been deleted, by kind and name.",
    response: z.object({ entries: z.array(ownerlessEntry) }),
  }),
  give: route({
    method: "PUT",
    path: "/admin/ownerless/:kind/:id",
    access: admin,
    summary: "Gives a thing without owner to an enabled account. 409 if the account has no room for it.",
    params: ownerlessParams,
    body: newOwner,
    response: z.undefined(),
    audit: "security",
  }),
  remove: route({
    method: "DELETE",
    path: "/admin/ownerless/:kind/:id",
    access: admin,
    summary: "Deletes a thing without owner for everyone.",
    params: ownerlessParams,
    response: z.undefined(),
    audit: "security",
  }),
  owned: route({
    method: "GET",
    path: "/admin/users/:id/owned",
    access: admin,
    summary: "How much an account owns, and the names of what it shares, before it is deleted.",
    params: z.object({ id: z.string().max(200) }),
    response: ownedThings,
  }),
};
