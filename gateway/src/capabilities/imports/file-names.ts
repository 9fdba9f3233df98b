import { detectFormat, type DataFileFormat, readableFormat } from "@fairway/contract/data-file-formats";
import { Refusal } from "#http/refusal.ts";
import type { ReadFormat } from "./tables.ts";

/** The name of a file in the store, which tells its number and what it may be. */
export const storedName = (number: number, file: string): string => `${number}${/\.[a-z0-9]{1,8}$/i.exec(file)?.[0].toLowerCase() ?? ""}`;

/** By the names; what the bytes say decides later. Refuses formats that cannot be read. */
export function commonFormat(files: readonly { readonly file: string }[]): ReadFormat {
  const formats = files.map(({ file }, index): ReadFormat | DataFileFormat => {
    const found = detectFormat(file, new Uint8Array());
    if (found.refused !== undefined) throw new Refusal("not-supported", found.refused, { path: `files.${index}.file` });
    return found.format;
  });
  const [first = "csv"] = formats;
  return readableFormat(first) ?? "csv";
}

/** The file's name without its folder and ending. */
export function suggestedName(file: string): string {
  const name = file.slice(file.lastIndexOf("/") + 1).replace(/(\.[a-z0-9]{1,8}){1,2}$/i, "");
  const words = name.replaceAll(/[/\p{Cc}\p{Cs}]+/gu, " ").trim();
  return words === "" ? "Data" : words.slice(0, 200);
}
