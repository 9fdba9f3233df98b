import { unreadableOf } from "#own-data/originals.ts";
import type { OriginalFile } from "#own-data/tables.ts";
import type { ImportFileRow, ImportRow } from "./repository.ts";
import type { ImportResult } from "./tables.ts";
import { chosenEntry } from "./unpack-files.ts";

/**
 * The given files of an import, with how each was read. Archives stand for the files that were unpacked from them. `before`: files that
 * are read again, which were added earlier.
 */
export function originalsOf(
  { id, format, choices }: Pick<ImportRow, "id" | "format" | "choices">,
  files: readonly ImportFileRow[],
  { reading, append }: Pick<ImportResult, "reading" | "append">,
  before: readonly Pick<OriginalFile, "key" | "addedMs">[] = [],
): OriginalFile[] {
  const nowMs = Date.now();
  const added = new Map(before.map(({ key, addedMs }) => [key, addedMs]));
  const renamed = Object.fromEntries(Object.entries(append?.renamed ?? {}).filter(([name, own]) => name !== own));
  const leftOut = Object.entries(choices.columns ?? {}).flatMap(([name, choice]) => (choice?.leaveOut === true ? [name] : []));
  return files
    .filter(({ container }) => container === null)
    .map((given) => {
      const { number, key, file, size, sha256, is_container: isContainer, renamed: named } = given;
      const entry = chosenEntry(choices, given);
      const names = isContainer ? files.filter(({ container }) => container === number).map((one) => one.file) : [file];
      // Several sheets of a workbook are read like several files.
      const own = reading?.files.filter((one) => names.includes(one.file)) ?? [];
      const isKnown = names.length > 0 && new Set(own.map((one) => one.file)).size === new Set(names).size;
      return {
        key,
        file,
        size: Number(size),
        sha256: sha256 ?? "",
        rows: isKnown ? own.reduce((sum, { rows }) => sum + rows, 0) : null,
        addedMs: added.get(key) ?? nowMs,
        readBy: id,
        format,
        encoding: own[0] === undefined || own[0].sheet !== undefined ? null : own[0].encoding,
        unreadable: reading !== null && isKnown ? unreadableOf(reading, new Set(names)) : null,
        renamed: named ?? renamed,
        leftOut,
        entry: isContainer && entry !== null ? entry : undefined,
      };
    });
}
