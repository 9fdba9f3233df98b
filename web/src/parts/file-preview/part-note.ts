import { sizeText } from "#lib/text/size-text.ts";
import { type PreviewFile, textLimitBytes } from "./preview-type.ts";

/** Said where only the beginning of a file was read. */
export const partNote = (file: PreviewFile, limit = textLimitBytes): string | undefined =>
  file.size > limit ? `Shows the first ${sizeText(limit)} of ${sizeText(file.size)}.` : undefined;
