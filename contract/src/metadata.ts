import { z } from "zod";
import { route } from "./route.ts";

/** Names and values by component. */
const metadata = z.record(z.string(), z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))).meta({ id: "Metadata" });
export type Metadata = z.infer<typeof metadata>;

export const platformMetadata = {
  read: route({
    method: "GET",
    path: "/admin/metadata",
    access: { role: "admin" },
    summary: "Versions and states of the portal's parts, by component.",
    response: metadata,
  }),
};
