import type { FileFormat } from "#query/engine.ts";

const extensions: readonly [RegExp, FileFormat][] = [
  [/\.(parquet|pq)$/i, "parquet"],
  [/\.xls[xm]$/i, "xlsx"],
  [/\.(csv|tsv)(\.gz)?$/i, "csv"],
  [/\.(json|ndjson|jsonl|geojson|geojsonl)(\.gz)?$/i, "json"],
];

/** The format of a file, by its name. */
export const formatOf = (name: string): FileFormat | undefined => extensions.find(([extension]) => extension.test(name))?.[1];

export const escapeGlob = (path: string): string => path.replaceAll(/[*?[]/g, "[$&]");

interface CommonFiles {
  /** Matches the files below their folder. */
  readonly pattern: string;
  readonly format: FileFormat;
  readonly count: number;
}

/** The files with the most common extension of a folder; undefined if it holds no data. */
export function mostCommonOf(files: readonly { readonly name: string; readonly isTopLevel: boolean }[]): CommonFiles | undefined {
  const counts = new Map<string, { count: number; format: FileFormat; isTopLevel: boolean; extension: string }>();
  for (const { name, isTopLevel } of files) {
    const format = formatOf(name);
    const extension = /(\.[a-z]+(?:\.gz)?)$/i.exec(name)?.[1];
    if (format === undefined || extension === undefined) continue;
    const counted = counts.get(extension) ?? { count: 0, format, isTopLevel: true, extension };
    counts.set(extension, { ...counted, count: counted.count + 1, isTopLevel: counted.isTopLevel && isTopLevel });
  }
  const [mostCommon] = [...counts.values()].toSorted((a, b) => b.count - a.count);
  if (!mostCommon) return undefined;
  const { extension, format, count, isTopLevel } = mostCommon;
  return { pattern: `${isTopLevel ? "" : "**/"}*${extension}`, format, count };
}
