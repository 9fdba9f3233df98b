import { z } from "zod";
import { route } from "./route.ts";

export const ecosystems = {
  list: route({
    method: "GET",
    path: "/ecosystems",
    access: "signed-in",
    summary: "The enabled ecosystems that this user's roles give access to.",
    response: z.array(z.object({ name: z.string() }).meta({ id: "Ecosystem" })),
  }),
};
