import { z } from "zod";
import { route } from "./route.ts";

/**
 * Topics of messages to open tabs. The id is an export's, or that of the iteration whose deployment takes another step. One list for
 * all capabilities: it is the enum of a released answer, and both sides take their types from it.
 */
export const liveTopics = [
  "notifications",
  "notices",
  "exports",
  "deployments",
  "feedback",
  "alerts",
  "datasets",
  "boards",
  "savedSearches",
] as const;
export type LiveTopic = (typeof liveTopics)[number];

/** The `data` of one event of the stream. Clients ignore kinds and topics that they do not know. */
export const liveMessage = z
  .discriminatedUnion("kind", [
    /** The first one: from now on, nothing is missed. `build`: of the web app that the gateway serves; null if it serves none. */
    z.object({ kind: z.literal("open"), build: z.string().nullable() }),
    /** Something that the user may read has changed; what it is now has to be fetched. */
    z.object({ kind: z.literal("changed"), topic: z.enum(liveTopics), id: z.string().nullable() }),
    /** Changes were missed, so anything may have changed. */
    z.object({ kind: z.literal("everything") }),
    /** The last one. `renew`: the access token is about to expire; `ended`: the session has; `stopping`: the gateway does. */
    z.object({ kind: z.literal("end"), reason: z.enum(["renew", "ended", "stopping"]) }),
  ])
  .meta({ id: "LiveMessage" });
export type LiveMessage = z.infer<typeof liveMessage>;

/** The server sends something at least this often, at the latest a comment. */
export const liveHeartbeatMs = 20_000;

/** Live changes for open tabs. Decision 0510. */
export const live = {
  stream: route({
    method: "GET",
    path: "/live",
    access: "signed-in",
    summary:
      "Server-sent events that tell what has changed for the user, without its content, until the access token expires. Each event's data is a message of this form. 429 and 503 with Retry-After where too many streams are open.",
    response: liveMessage,
    streamed: true,
    mediaTypes: ["text/event-stream"],
    uncompressed: true,
    endless: true,
  }),
};
