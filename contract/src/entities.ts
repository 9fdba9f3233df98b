import { z } from "zod";

/** An entity's id: a name that can stand in a path. Never holds '/'. */
export const entityId = z
  .string()
  .min(1)
  .max(200)
  .refine(
    (id) => !/[/\p{Cc}\p{Cs}]/u.test(id) && id !== "." && id !== "..",
    "is not a valid id: it must not hold '/' or control characters",
  );
