import { z } from "zod";
import { route } from "./route.ts";
import { recordOf } from "./records.ts";

/** Names and values by component. */
const metadata = recordOf(z.string(), recordOf(z.string(), z.union([z.string(), z.number(), z.boolean()]))).meta({ id: "Metadata" });
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
