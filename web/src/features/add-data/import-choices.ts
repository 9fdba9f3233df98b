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
