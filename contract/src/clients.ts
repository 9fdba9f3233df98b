import { z } from "zod";

/** What a browser or a program tells of itself, in words; `Unknown` where it tells nothing. */
export const client = z.object({ browser: z.string(), operatingSystem: z.string(), device: z.string() });
export type Client = z.infer<typeof client>;
