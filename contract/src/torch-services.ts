import { z } from "zod";
import { route } from "./route.ts";

const reachability = z
  .object({
    name: z.string(),
    /** Whether it answers calls, whatever it answers. */
    reachable: z.boolean(),
    /** Of its answer; null where there is none. */
    status: z.int().nullable(),
    /** Milliseconds until the answer; null where there is none. */
    answeredMs: z.number().nullable(),
    /** Why it is not reachable; null where it is. */
    problem: z.string().nullable(),
  })
  .meta({ id: "Reachability" });
export type Reachability = z.infer<typeof reachability>;

/** The calls on torch services beside the ones that every type has. */
export const torchServiceChecks = {
  reachability: route({
    method: "GET",
    path: "/admin/torch-service/reachability",
    access: { role: "admin" },
    summary: "Calls each torch service now, and tells which answer.",
    response: z.array(reachability),
  }),
};
