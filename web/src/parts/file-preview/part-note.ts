import { sizeText } from "#lib/size-text.ts";
import { type PreviewFile, textLimitBytes } from "./preview-type.ts";

/** Said where only the beginning of a file was read. */
export const partNote = (file: PreviewFile): string | undefined =>
  file.size > textLimitBytes ? `Shows the first ${sizeText(textLimitBytes)} of ${sizeText(file.size)}.` : undefined;
