import { type ModuleGraph, type Parts, readParts } from "./module-graph.ts";

/** Modules that are loaded together. */
interface Chunk {
  readonly modules: readonly string[];
  /** The numbers of the parts that load it. */
  readonly loadedBy: Set<number>;
  /** Of its script, compressed: an estimate. */
  readonly bytes: number;
  readonly imports: Set<Chunk>;
  /** The chunk of a part, which stays as it is. */
  readonly isPart: boolean;
}

/** Chunks that might be merged, and what that is worth in bytes. */
interface Pair {
  readonly one: Chunk;
  readonly other: Chunk;
  worth: number;
}

/** The worth of a request less at the first visit to a screen: far more than it takes, as the next screen needs most of it. */
const requestBytes = 60_000;
/** A view or a dialog counts less than a screen: when it is opened, its screen has loaded most of it. */
const weightOnUse = 0.01;
/** The most that a screen loads needlessly. */
const needlessOnScreen = 20_000;
/** The same of parts without the shell, which would need it whole for a module that is merged with it. */
const needlessOnLogin = 5_000;
/** The same of a view or a dialog that is loaded on its first use. */
const needlessOnUse = 80_000;
/** Chunks below it are merged where that costs a part no more than `needlessOfSmall` in addition. */
const smallBytes = 8_000;
const needlessOfSmall = 24_000;
/** Of a compressed script, to its source. */
const compression = 0.22;

/**
 * Says in which chunk a module belongs: that of what both pages load, that of the shell, or one of those that parts of the
 * application share. The bundler makes a chunk for every set of parts that share a module: hundreds of files, most below 2 kB.
 * Here, they are merged as long as the requests saved are worth what is loaded needlessly. Decision 0915.
 * @param main the entry of the application, which screens must not import
 * @param isScreen whether a module is one that a screen is loaded by
 */
export function sharedChunks(
  main: string,
  login: string,
  isScreen: (id: string) => boolean,
): (id: string, graph: ModuleGraph) => string | null {
  let names: ReadonlyMap<string, string> | undefined;
  return (id, graph) => {
    names ??= chunkNames(readParts(main, login, graph), isScreen);
    return id === main ? null : (names.get(id) ?? null);
  };
}

/** The name of the chunk of each module. Other modules are in the chunk of the only part that loads them. */
function chunkNames(parts: Parts, isScreen: (id: string) => boolean): ReadonlyMap<string, string> {
  const { shell, shared } = separateChunks(parts);
  const names = new Map<string, string>(parts.atOnce);
  for (const [index, { modules, isPart }] of [...mergedChunks([shell, ...shared], parts, isScreen)].entries()) {
    if (isPart) continue;
    const name = modules.some((id) => parts.atOnce.has(id)) ? "shell" : `shared-${index}`;
    for (const id of modules) names.set(id, name);
  }
  return names;
}

/** A chunk for each set of parts, as the bundler makes them. */
function separateChunks({ ids, ofLogin, atOnce, loadedBy, importsOf }: Parts): { shell: Chunk; shared: ReadonlySet<Chunk> } {
  const parts = new Set(ids);
  const modulesBySet = new Map<string, string[]>();
  for (const [id, numbers] of loadedBy) {
    const set = parts.has(id) ? id : [...numbers].toSorted((one, other) => one - other).join();
    modulesBySet.set(set, [...(modulesBySet.get(set) ?? []), id]);
  }
  const chunkOf = (modules: readonly string[], numbers: Iterable<number>, isPart: boolean): Chunk => ({
    modules,
    loadedBy: new Set(numbers),
    bytes: modules.reduce((sum, id) => sum + importsOf(id).length, 0) * compression,
    imports: new Set(),
    isPart,
  });
  const chunks = new Map<string, Chunk>();
  for (const modules of modulesBySet.values()) {
    const [first = ""] = modules;
    const numbers = loadedBy.get(first) ?? new Set();
    const chunk = chunkOf(modules, numbers, parts.has(first) || numbers.size === 1);
    for (const id of modules) chunks.set(id, chunk);
  }
  const ofShell = [...atOnce].flatMap(([id, name]) => (name === "shell" ? [id] : []));
  const shell = chunkOf(
    ofShell,
    ids.flatMap((_, number) => (ofLogin.has(number) ? [] : [number])),
    false,
  );
  const shared = new Set(chunks.values());
  for (const id of ofShell) chunks.set(id, shell);
  for (const chunk of shared)
    for (const imported of chunk.modules.flatMap((id) => importsOf(id).imported)) {
      const other = chunks.get(imported);
      if (other !== undefined && other !== chunk) chunk.imports.add(other);
    }
  return { shell, shared };
}

/** Merges what is most worth it, until nothing is. */
function mergedChunks(separate: Iterable<Chunk>, parts: Parts, isScreen: (id: string) => boolean): ReadonlySet<Chunk> {
  const chunks = new Set(separate);
  const screens = parts.ids.map(isScreen);
  const weightOf = (numbers: Iterable<number>): number => {
    let sum = 0;
    for (const number of numbers) sum += screens[number] ? 1 : weightOnUse;
    return sum;
  };
  /** Bytes that a part may still load needlessly. */
  const spare = screens.map((is, number): number => (is ? needlessOnScreen : parts.ofLogin.has(number) ? needlessOnLogin : needlessOnUse));
  let onlySmall = false;
  let reached = reachedFrom(chunks);
  /** Two chunks with those between them: otherwise, the merged one would import a chunk that imports it. */
  const groupOf = (one: Chunk, other: Chunk): readonly Chunk[] => {
    const between = (from: Chunk, to: Chunk) => [...(reached.get(from) ?? [])].filter((chunk) => reached.get(chunk)?.has(to));
    return [...new Set([one, other, ...between(one, other), ...between(other, one)])];
  };
  /** Chunks that parts would load in addition: each of them all of the group, with its imports. */
  const additionsOf = (group: readonly Chunk[]): ReadonlyMap<Chunk, readonly number[]> => {
    const numbers = [...new Set(group.flatMap((chunk) => [...chunk.loadedBy]))];
    const loaded = new Set(group.flatMap((chunk) => [chunk, ...(reached.get(chunk) ?? [])]));
    return new Map([...loaded].map((chunk) => [chunk, numbers.filter((number) => !chunk.loadedBy.has(number))]));
  };
  /** 0 if it is out of the question. */
  const worthOf = (group: readonly Chunk[]): number => {
    if (group.some(({ isPart }) => isPart) || (onlySmall && group.every(({ bytes }) => bytes > smallBytes))) return 0;
    const loads = group.reduce((sum, { loadedBy }) => sum + weightOf(loadedBy), 0);
    let worth = (loads - weightOf(new Set(group.flatMap(({ loadedBy }) => [...loadedBy])))) * requestBytes;
    const needless = new Map<number, number>();
    for (const [chunk, added] of additionsOf(group)) {
      worth -= weightOf(added) * (chunk.bytes + (group.includes(chunk) ? 0 : requestBytes));
      if (worth <= 0) return 0;
      for (const number of added) needless.set(number, (needless.get(number) ?? 0) + chunk.bytes);
    }
    return [...needless].some(([number, bytes]) => bytes > (spare[number] ?? 0)) ? 0 : worth;
  };
  let pairs: Pair[] = [];
  const consider = (one: Chunk, other: Chunk): void => {
    if (one.isPart || other.isPart) return;
    const worth = worthOf(groupOf(one, other));
    if (worth > 0) pairs.push({ one, other, worth });
  };
  const mergeAll = (): void => {
    for (const [index, one] of [...chunks].entries()) for (const other of [...chunks].slice(index + 1)) consider(one, other);
    for (let best = mostWorth(pairs); best !== undefined; best = mostWorth(pairs)) {
      const pair = best;
      const group = groupOf(pair.one, pair.other);
      // Merges since have changed what this one is worth.
      const worth = worthOf(group);
      if (worth < pair.worth) {
        pair.worth = worth;
        if (worth === 0) pairs = pairs.filter((one) => one !== pair);
        continue;
      }
      for (const [chunk, added] of additionsOf(group))
        for (const number of added) {
          spare[number] = (spare[number] ?? 0) - chunk.bytes;
          chunk.loadedBy.add(number);
        }
      const merged: Chunk = {
        modules: group.flatMap(({ modules }) => modules),
        loadedBy: pair.one.loadedBy,
        bytes: group.reduce((sum, { bytes }) => sum + bytes, 0),
        imports: new Set(group.flatMap(({ imports }) => [...imports]).filter((imported) => !group.includes(imported))),
        isPart: false,
      };
      for (const chunk of group) chunks.delete(chunk);
      for (const { imports } of chunks) if (group.filter((chunk) => imports.delete(chunk)).length > 0) imports.add(merged);
      chunks.add(merged);
      reached = reachedFrom(chunks);
      pairs = pairs.filter(({ one, other }) => chunks.has(one) && chunks.has(other));
      for (const chunk of chunks) if (chunk !== merged) consider(chunk, merged);
    }
  };
  mergeAll();
  onlySmall = true;
  for (const [number, bytes] of spare.entries()) spare[number] = bytes + needlessOfSmall;
  mergeAll();
  return chunks;
}

function mostWorth(pairs: readonly Pair[]): Pair | undefined {
  let [most] = pairs;
  for (const pair of pairs) if (most === undefined || pair.worth > most.worth) most = pair;
  return most;
}

/** Imports of each chunk, with theirs. */
function reachedFrom(chunks: Iterable<Chunk>): ReadonlyMap<Chunk, ReadonlySet<Chunk>> {
  return new Map(
    [...chunks].map((chunk) => {
      const reached = new Set(chunk.imports);
      for (const one of reached) for (const imported of one.imports) reached.add(imported);
      return [chunk, reached];
    }),
  );
}
