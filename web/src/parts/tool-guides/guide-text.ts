import type { DatasetRef } from "@fairway/contract/datasets";

/** A guide for this portal and this dataset. Its first heading is left out, because it repeats the name of the tool. */
export function fillGuide(guide: string, origin: string, dataset: DatasetRef | undefined): string {
  const values: Readonly<Record<string, string>> = {
    origin,
    dataset: dataset ? `${dataset.datasetCategory}/${dataset.datasetId}` : "CATEGORY/DATASET",
  };
  return guide.replace(/^\s*# .*\n/, "").replaceAll(/"\{\{dataset\}\}"|'\{\{dataset\}\}'|\{\{(\w+)\}\}/g, (placeholder, name?: string) => {
    if (name !== undefined) return values[name] ?? placeholder;
    // Names may hold quotes, which would end the string that they are in.
    const quoted = values["dataset"] ?? "";
    return placeholder.startsWith('"') ? JSON.stringify(quoted) : shellQuoted(quoted);
  });
}

/** A text as one word of a POSIX shell. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
