import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { CopiedSource, DatasetSource, ImportedSource } from "#query/engine.ts";
import type { TableSource } from "#query/sql/table-source.ts";

/**
 * Reads files that users have brought where they are, in the folder of the portal's own store, and leaves all other sources to another
 * one. The folder has to exist.
 */
export async function importedFiles(folder: string, others: TableSource): Promise<TableSource> {
  // The engine compares paths as texts.
  const root = await realpath(folder);
  const local = (source: DatasetSource): DatasetSource => (source.kind === "imported" ? copiesOf(source, root) : source);
  return {
    use: (source, need, caller, work) =>
      source.kind === "imported" ? work(copiesOf(source, root), false) : others.use(source, need, caller, work),
    isNear: (source, caller) => (source.kind === "imported" ? Promise.resolve(true) : others.isNear(source, caller)),
    state: (source, caller) => (source.kind === "imported" ? Promise.resolve(keyOf(source)) : others.state(source, caller)),
    sample: (source, query, caller, read) =>
      source.kind === "imported" ? read(copiesOf(source, root)) : others.sample(source, query, caller, read),
    check: (source, caller, look) => others.check(local(source), caller, look),
    inspect: (source, caller, look) => others.inspect(local(source), caller, look),
    notes: (source, caller, look) => others.notes(local(source), caller, look),
    reading: (source, caller, look) => others.reading(local(source), caller, look),
  };
}

const keyOf = ({ format, files }: Pick<ImportedSource, "format" | "files">): string =>
  JSON.stringify(["imported", format, files.map(({ key, renamed }) => (renamed === undefined ? key : [key, renamed]))]);

function copiesOf(source: ImportedSource, root: string): CopiedSource {
  const { format, reading, choices, hints, checksAll } = source;
  return {
    kind: "copies",
    format,
    reading,
    choices,
    hints,
    checksAll,
    key: keyOf(source),
    // Files of a key never change.
    state: "",
    files: source.files.map(({ key, ...file }) => ({ path: join(root, key), ...file })),
    partitions: [],
  };
}
