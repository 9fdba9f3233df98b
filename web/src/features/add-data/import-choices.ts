import type { ImportChoices } from "@fairway/contract/imports";
import type { ReadingChoices } from "@fairway/contract/readings";

/** Choices about all files, of which the first one stands for those that are read alike. */
export function choicesOf({
  encoding,
  delimiter,
  quote,
  headerLine,
  skipLines,
  path,
  sheet,
  sheets,
  ...others
}: ReadingChoices): ImportChoices {
  const fields = { encoding, delimiter, quote, headerLine, skipLines, path, sheet, sheets };
  const file = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return Object.keys(file).length === 0 ? others : { ...others, files: { "1": file } };
}

/** Choices for other files say nothing of these. */
const automatic = {
  encoding: null,
  delimiter: null,
  quote: null,
  headerLine: null,
  skipLines: null,
  sheet: null,
  sheets: null,
  path: null,
};

/** Takes a file of an archive, with those of the same header. */
export const entryChoices = (archive: number | string, entry: string): ImportChoices => ({
  files: { [archive]: { ...automatic, entry } },
  columns: null,
});
