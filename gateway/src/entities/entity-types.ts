import { type InternalDataset, internalDataset } from "@fairway/contract/internal-datasets";
import type { z } from "zod";

/** A kind of thing that administrators configure: its name in paths and what its body has to be. */
export interface EntityType<Body extends { id: string }> {
  readonly name: string;
  readonly schema: z.ZodType<Body>;
}

export const internalDatasets: EntityType<InternalDataset> = { name: "datasets/internal", schema: internalDataset };
