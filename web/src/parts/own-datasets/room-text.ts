import { formatCount } from "@fairway/contract/counts";
import type { OwnDataRoom } from "@fairway/contract/own-datasets";
import { sizeText } from "#lib/text/size-text.ts";

/** `1.2 of 2 GB`, or `58.0 KB of 2 GB` in different units. */
export function roomText({ bytes, maxBytes }: Pick<OwnDataRoom, "bytes" | "maxBytes">): string {
  const used = sizeText(bytes);
  const all = sizeText(maxBytes).replace(".0 ", " ");
  const unit = all.slice(all.indexOf(" "));
  return `${used.endsWith(unit) ? used.slice(0, -unit.length) : used} of ${all}`;
}

/** Why no dataset can be added; null if one can. */
export function fullText({ datasets, maxDatasets, ...room }: OwnDataRoom): string | null {
  if (datasets >= maxDatasets) return `You have ${formatCount(datasets)} datasets, as many as there can be.`;
  if (room.bytes >= room.maxBytes) return `You keep ${roomText(room)}. Delete a dataset or older versions first.`;
  return null;
}
