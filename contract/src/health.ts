import { z } from "zod";
import { route } from "./route.ts";

const check = z.enum(["ok", "failed"]);

export const health = {
  live: route({
    method: "GET",
    path: "/health/live",
    access: "public",
    summary: "The process answers.",
    response: z.object({ status: z.literal("ok") }),
  }),
  ready: route({
    method: "GET",
    path: "/health/ready",
    access: "public",
    summary: "Database, engine and store are reachable; 503 otherwise.",
    response: z.object({ status: z.literal("ok"), checks: z.object({ database: check, engine: check, store: check }) }),
  }),
  metrics: route({
    method: "GET",
    path: "/metrics",
    access: "operator",
    summary: "Metrics in Prometheus text.",
    response: z.string(),
    streamed: true,
    mediaTypes: ["text/plain"],
  }),
};
