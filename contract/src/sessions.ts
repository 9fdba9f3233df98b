import { z } from "zod";
import { client } from "./clients.ts";
import { route } from "./route.ts";

/** A session of the calling user. */
export const ownSession = z
  .object({
    id: z.string(),
    /** Whether this session made the call. */
    isCurrent: z.boolean(),
    client,
    /** Address of the last sign-in or refresh. */
    ipAddress: z.string(),
    signedInMs: z.number(),
    /** Rounded to the minute. */
    lastUsedMs: z.number(),
  })
  .meta({ id: "OwnSession" });
export type OwnSession = z.infer<typeof ownSession>;

/** An attempt to sign in to the user's account. A two-step sign-in counts as two attempts. */
export const signInAttempt = z
  .object({
    id: z.string(),
    timeMs: z.number(),
    step: z.enum(["password", "second-factor", "passkey", "card", "provider"]),
    succeeded: z.boolean(),
    client,
    ipAddress: z.string(),
  })
  .meta({ id: "SignInAttempt" });
export type SignInAttempt = z.infer<typeof signInAttempt>;

/** Sessions and sign-in attempts of the calling user. */
export const ownSessions = {
  list: route({
    method: "GET",
    path: "/profile/sessions",
    access: "signed-in",
    summary: "The user's sessions: this one first, then by latest use; at most 200.",
    response: z.array(ownSession),
  }),
  end: route({
    method: "DELETE",
    path: "/profile/sessions/:id",
    access: "signed-in",
    summary: "Sign out one of the user's sessions; its tokens stop working immediately.",
    params: z.object({ id: z.string() }),
    response: z.undefined(),
    audit: "security",
  }),
  endOthers: route({
    method: "DELETE",
    path: "/profile/sessions",
    access: "signed-in",
    summary: "Sign out everywhere but here.",
    response: z.undefined(),
    audit: "security",
  }),
  signIns: route({
    method: "GET",
    path: "/profile/sign-ins",
    access: "signed-in",
    summary: "The latest 20 attempts to sign in to the user's account, newest first. The two steps of a sign-in count as two.",
    response: z.array(signInAttempt),
  }),
};
