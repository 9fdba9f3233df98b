import { detectFormat, readableFormat } from "@fairway/contract/data-file-formats";
import type { Reading } from "@fairway/contract/readings";
import type { GivenFile, OriginalFile, UnreadablePart } from "./tables.ts";

/** Values and lines of a file that are shown. */
const shown = 5;

export const givenOf = ({ key, file, size, sha256, rows }: GivenFile): GivenFile => ({ key, file, size, sha256, rows });

/** Values and lines that could not be read of the files with these names, one or those of an archive. */
export function unreadableOf({ files, fileCount, columns }: Reading, names: ReadonlySet<string>): UnreadablePart {
  const ofFiles = files.filter(({ file }) => names.has(file)).map(({ unreadable }) => unreadable);
  const isOnly = files.every(({ file }) => names.has(file)) && files.length === fileCount;
  const values = columns.map(({ name, unreadable: { count, first } }) => {
    const own = first.filter(({ file }) => isOnly || (file !== undefined && names.has(file)));
    return { name, own, count: isOnly ? count : own.length, isExact: isOnly || first.length === count };
  });
  return {
    lines: ofFiles.reduce((sum, { count }) => sum + count, 0),
    values: values.reduce((sum, { count }) => sum + count, 0),
    isExact: values.every(({ isExact }) => isExact),
    first: [
      ...ofFiles.flatMap(({ first }) => first.map(({ line, text }) => ({ column: null, line, text }))),
      ...values.flatMap(({ name, own }) => own.map(({ line, text }) => ({ column: name, line, text }))),
    ].slice(0, shown),
  };
}

/** The format of a file as the engine reads it; undefined if only its content tells. */
const formatOf = ({ file, format }: OriginalFile): string | undefined => {
  if (format !== null) return format;
  const found = detectFormat(file, new Uint8Array());
  return found.refused === undefined ? readableFormat(found.format) : undefined;
};

/** Why the files of a dataset cannot be read in another way; null if they can. */
export function whyNotReadAgain(originals: readonly OriginalFile[]): string | null {
  if (originals.length === 0) return "The files that this dataset was made of are not kept.";
  const formats = new Set(originals.map(formatOf).filter((format) => format !== undefined));
  if (formats.has("parquet")) return "Parquet files have their own types, so there is nothing to choose.";
  if (formats.size > 1) return "The files of this dataset have several formats, so they cannot be read again together.";
  const isRenamed = originals.some(({ renamed }) => Object.keys(renamed).length > 0);
  if (isRenamed && !formats.has("csv")) return "Some files call columns otherwise than the dataset, so they cannot be read again together.";
  return null;
}
