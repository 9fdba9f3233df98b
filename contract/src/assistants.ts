import { z } from "zod";
import { route } from "./route.ts";

/** Uses are counted over this many days (UTC), today included. */
export const assistantUseDays = 30;

const assistantTool = z
  .object({
    name: z.string(),
    title: z.string(),
    /** Description of the dataset for assistants. */
    description: z.string(),
  })
  .meta({ id: "AssistantTool" });
export type AssistantTool = z.infer<typeof assistantTool>;

const assistantAccess = z
  .object({
    /** Whether administrators allow assistants. */
    enabled: z.boolean(),
    tools: z.array(assistantTool),
  })
  .meta({ id: "AssistantAccess" });
export type AssistantAccess = z.infer<typeof assistantAccess>;

const assistantUse = z
  .object({
    apiKeyId: z.string(),
    apiKeyName: z.string(),
    /** Username. */
    owner: z.string(),
    /** Of a tool; the most used first. */
    tools: z.array(z.object({ name: z.string(), calls: z.int(), refused: z.int() })),
    /** The day (UTC) of the last use, such as 2026-01-31. */
    lastDay: z.string(),
  })
  .meta({ id: "AssistantUse" });
export type AssistantUse = z.infer<typeof assistantUse>;

const assistantUses = z
  .object({
    enabled: z.boolean(),
    /** By API key, of the last `assistantUseDays` days; the most used first. */
    uses: z.array(assistantUse),
  })
  .meta({ id: "AssistantUses" });
export type AssistantUses = z.infer<typeof assistantUses>;

export const assistants = {
  call: route({
    method: "POST",
    path: "/mcp",
    access: "signed-in",
    summary:
      "A Model Context Protocol server (streamable HTTP, stateless) for assistants, which see what the API key opens and change nothing. Takes one JSON-RPC message per call, no batches, and API keys only.",
    body: z.unknown(),
    // Inputs of tools are small, and every message is answered on the event loop.
    bodyLimit: 262_144,
    response: z.unknown(),
    streamed: true,
    mediaTypes: ["application/json", "text/event-stream"],
    apiKey: true,
  }),
  about: route({
    method: "GET",
    path: "/assistants",
    access: "signed-in",
    summary: "Whether assistants may use the portal, and the tools that they find.",
    response: assistantAccess,
  }),
};

export const assistantAdministration = {
  uses: route({
    method: "GET",
    path: "/admin/assistants",
    access: { role: "admin" },
    summary: "Which API keys assistants used, and for what.",
    response: assistantUses,
  }),
  allow: route({
    method: "PUT",
    path: "/admin/assistants",
    access: { role: "admin" },
    summary: "Allow or forbid assistants to use the portal. Applies on all gateways within five seconds.",
    body: z.object({ enabled: z.boolean() }).meta({ id: "AssistantSwitch" }),
    response: z.undefined(),
    audit: "security",
  }),
};
