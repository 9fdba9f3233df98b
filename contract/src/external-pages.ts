import { z } from "zod";
import { route } from "./route.ts";

export const externalView = z
  .object({
    url: z.string(),
    role: z.string(),
    /** Whether the page keeps its own origin in the frame: without it, most pages that people sign in to do not work. */
    allowSameOrigin: z.boolean(),
    /** Whether the page can be shown in a frame of the portal; `unknown` if it could not be checked. */
    framing: z.enum(["allowed", "refused", "unknown"]),
  })
  .meta({ id: "ExternalView" });
export type ExternalView = z.infer<typeof externalView>;

export const externalPages = {
  page: route({
    method: "GET",
    path: "/externalPages/:name",
    access: "signed-in",
    summary: "The address of an external page, for holders of its role.",
    params: z.object({ name: z.string() }),
    response: externalView,
  }),
};
