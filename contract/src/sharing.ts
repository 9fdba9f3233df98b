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

/** At most one entry for each recipient. */
export const shareDrafts = z.array(shareDraft).max(100);

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
