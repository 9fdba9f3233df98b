import type { DatasetDescription } from "@fairway/contract/datasets";
import type { ComputedColumn } from "@fairway/contract/derived-columns";

/** A description with the columns that a search computes. What checks formulas is loaded only for a search that has some. */
export async function describeWith(description: DatasetDescription, computed: readonly ComputedColumn[]): Promise<DatasetDescription> {
  if (computed.length === 0) return description;
  const { withAdded } = await import("./with-added.ts");
  return withAdded(description, computed);
}
