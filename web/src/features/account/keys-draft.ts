import { datasetRef } from "@fairway/contract/datasets";
import { z } from "zod";

/** The draft of a new key, kept when the session ends. */
export const keyDraftName = "api-key";

export const keyDraft = z.object({
  name: z.string(),
  datasets: z.array(datasetRef).readonly(),
  ecosystemNames: z.array(z.string()).readonly(),
  expiry: z.string().default("never"),
});
export type KeyDraft = z.infer<typeof keyDraft>;
