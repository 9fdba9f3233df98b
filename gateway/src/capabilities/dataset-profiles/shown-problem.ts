import type { FigureView } from "#query/whole-figures.ts";

/** Ends a sentence of an engine that names a column. */
const columnReason =
  /\bits (?:(?:data files have|table has) no column '(.*)'|column '(.*)' is described as .*?)(?=\.(?: Tell an administrator\.)?$)/s;
/** Sentences on unreadable data end with words of the data. */
const dataReason = /^(The data cannot be read as \w+): .*$/s;

/** Why a profile failed, without the name or content of a column that the reader does not have as stored. */
export const problemShownTo = (problem: string, view: FigureView): string =>
  problem
    .replace(dataReason, "$1.")
    .replace(columnReason, (reason, missing: string | undefined, other: string | undefined) =>
      view.isAsStored(missing ?? other ?? "") ? reason : "one of its columns cannot be read",
    );
