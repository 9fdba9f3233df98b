import { z } from "zod";
import { route } from "./route.ts";

const reachability = z
  .object({
    name: z.string(),
    /** Whether it responded at all, with any status. */
    reachable: z.boolean(),
    /** Status of the response; null if there was none. */
    status: z.int().nullable(),
    /** Milliseconds until the response; null if there was none. */
    answeredMs: z.number().nullable(),
    /** Why it is not reachable; null if it is. */
    problem: z.string().nullable(),
  })
  .meta({ id: "Reachability" });
export type Reachability = z.infer<typeof reachability>;

/** Calls on torch services in addition to those that every entity type has. */
export const torchServiceChecks = {
  reachability: route({
    method: "GET",
    path: "/admin/torch-service/reachability",
    access: { role: "admin" },
    summary: "Calls each torch service now, and tells which answer.",
    response: z.array(reachability),
  }),
};
