import { z } from "zod";

/** Why an entity does not work in its current state. It is stored regardless: what is missing may be added later. */
export const entityWarning = z
  .object({
    /** Kind of problem, such as `data-missing` or `unknown-role`. More kinds may be added. */
    code: z.string(),
    message: z.string(),
    /** The field concerned, such as `source.glob`. */
    path: z.string().optional(),
  })
  .meta({ id: "EntityWarning" });
export type EntityWarning = z.infer<typeof entityWarning>;
