import { realpath } from "node:fs/promises";
import { streamOf } from "#query/bucket/copied-files.ts";
import type { DatasetSource, ImportedSource } from "#query/engine.ts";
import type { TableSource } from "#query/sql/table-source.ts";
import { type RemoteImports, copiesOf, keyOf, pathsBelow } from "./remote-imports.ts";

interface Options {
  /** The folder of the portal's own store. Has to exist. */
  readonly folder: string;
  /** For all other sources. */
  readonly others: TableSource;
  /** Files that are elsewhere. Default: none are. */
  readonly remote?: RemoteImports | undefined;
}

interface Caller {
  readonly signal: AbortSignal;
  readonly waits?: boolean | undefined;
}

/** Bytes that are copied within a moment. */
const nearBytes = 32_000_000;

/** Reads files that users have brought: where they are, if all are on the shared disk, and else copies of those that are not. */
export async function importedFiles({ folder, others, remote }: Options): Promise<TableSource> {
  // The engine compares paths as texts.
  const root = await realpath(folder);

  /** Undefined if all files are on the disk. */
  const remoteFor = async (source: ImportedSource): Promise<RemoteImports | undefined> =>
    (await remote?.hasAny(source)) === true ? remote : undefined;

  const whole = async <T>(source: ImportedSource, caller: Caller, work: (found: DatasetSource) => Promise<T>): Promise<T> => {
    const elsewhere = await remoteFor(source);
    return elsewhere === undefined ? work(copiesOf(source, pathsBelow(source, root))) : elsewhere.use(source, everything, caller, work);
  };

  return {
    use: async (source, need, caller, work) => {
      if (source.kind !== "imported") return others.use(source, need, caller, work);
      const { signal } = caller;
      const elsewhere = need.onlyColumns === true && source.format === "parquet" ? await remoteFor(source) : undefined;
      return elsewhere === undefined
        ? whole(source, { signal, waits: need.waits }, (found) => work(found, false))
        : elsewhere.useFooters(source, everything, signal, (found) => work(found, false));
    },
    isNear: async (source, caller) => {
      if (source.kind !== "imported") return others.isNear(source, caller);
      const elsewhere = await remoteFor(source);
      if (elsewhere === undefined) return true;
      const { files } = await elsewhere.list(source, caller.signal);
      const bytes = files.reduce((sum, { size, local }) => sum + (local === undefined ? size : 0), 0);
      return bytes <= nearBytes || elsewhere.cache.has(files);
    },
    state: (source, caller) => (source.kind === "imported" ? Promise.resolve(keyOf(source)) : others.state(source, caller)),
    sample: async (source, query, caller, read) => {
      if (source.kind !== "imported") return others.sample(source, query, caller, read);
      const elsewhere = await remoteFor(source);
      if (elsewhere === undefined) return whole(source, caller, read);
      return elsewhere.use(source, everything, caller, async (found) => {
        // The copies stay until all of it is read.
        const { chunks, hasMore } = await read(found);
        const texts: string[] = [];
        for await (const chunk of chunks) texts.push(chunk);
        return streamOf(texts, await hasMore);
      });
    },
    check: (source, caller, look) => (source.kind === "imported" ? whole(source, caller, look) : others.check(source, caller, look)),
    inspect: (source, caller, look) => (source.kind === "imported" ? whole(source, caller, look) : others.inspect(source, caller, look)),
    notes: (source, caller, look) => (source.kind === "imported" ? whole(source, caller, look) : others.notes(source, caller, look)),
    reading: (source, caller, look) =>
      source.kind === "imported" ? whole(source, { signal: caller.signal, waits: true }, look) : others.reading(source, caller, look),
  };
}

const everything = <File>({ files }: { readonly files: readonly File[] }): readonly File[] => files;
