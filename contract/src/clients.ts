import { z } from "zod";

/** Readable description of the calling browser or program; `Unknown` for parts it does not disclose. */
export const client = z.object({ browser: z.string(), operatingSystem: z.string(), device: z.string() });
export type Client = z.infer<typeof client>;
