import { datasetRef } from "@fairway/contract/datasets";
import { z } from "zod";

/** Name of the stored draft of a new key, which survives the end of a session. */
export const keyDraftName = "api-key";

export const keyDraft = z.object({
  name: z.string(),
  datasets: z.array(datasetRef).readonly(),
  filesetIds: z.array(z.string()).readonly().default([]),
  ecosystemNames: z.array(z.string()).readonly(),
  /** Null for all of the user's. */
  roles: z.array(z.string()).readonly().nullable().default(null),
  mayAppend: z.boolean().default(false),
  expiry: z.string().default("never"),
});
export type KeyDraft = z.infer<typeof keyDraft>;
