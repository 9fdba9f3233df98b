import { posix } from "node:path";

/** The modules as the bundler knows them. */
export interface ModuleGraph {
  getModuleInfo: (id: string) => Module | null;
}

interface Module {
  readonly code: string | null;
  readonly importedIds: readonly string[];
  readonly dynamicallyImportedIds: readonly string[];
}

/** Imports of a module. */
interface Imports {
  readonly imported: readonly string[];
  /** By `import()`. */
  readonly onUse: readonly string[];
  /** Of its source, in characters; 0 of styles. */
  readonly length: number;
}

/** Entries with the modules that load with them: on use, or as a page. */
export interface Parts {
  /** Their modules, by number. The login page is one of them. */
  readonly ids: readonly string[];
  /** The numbers of those that are loaded without the shell. */
  readonly ofLogin: ReadonlySet<number>;
  /** Modules that the page of the application loads at once: `base` with the login page, or `shell`. */
  readonly atOnce: ReadonlyMap<string, "base" | "shell">;
  /** The parts that load a module, of all others. */
  readonly loadedBy: ReadonlyMap<string, ReadonlySet<number>>;
  readonly importsOf: (id: string) => Imports;
}

/** One file imports all modules of these libraries. What a module takes from it is read from its imports. */
const wholeLibrary = /\/(@mantine\/(?:core|dates|hooks))\/esm\/index\.mjs$/;
const namedImports = /\bimport\s*\{([^}]*)\}\s*from\s*"([^"]+)"/g;

/** Reads which parts load which modules. */
export function readParts(main: string, login: string, graph: ModuleGraph): Parts {
  const importsOf = importsIn(graph);
  const closure = (entry: string): Set<string> => {
    const modules = new Set([entry]);
    for (const id of modules) for (const imported of importsOf(id).imported) modules.add(imported);
    return modules;
  };
  const byLogin = closure(login);
  const atOnce = new Map([...closure(main)].map((id) => [id, byLogin.has(id) ? "base" : "shell"] as const));
  const ids = new Set<string>();
  const loadedBy = new Map<string, Set<number>>();
  const add = (part: string): Set<string> => {
    const modules = closure(part);
    for (const id of modules) if (!atOnce.has(id)) loadedBy.set(id, (loadedBy.get(id) ?? new Set()).add(ids.size));
    ids.add(part);
    return modules;
  };
  const addPartsOf = (modules: Set<string>): void => {
    for (const id of modules)
      for (const part of importsOf(id).onUse) if (!atOnce.has(part) && !ids.has(part)) for (const module of add(part)) modules.add(module);
  };
  addPartsOf(new Set(atOnce.keys()));
  const ofShell = ids.size;
  addPartsOf(add(login));
  return { ids: [...ids], ofLogin: new Set([...ids].map((_, number) => number).slice(ofShell)), atOnce, loadedBy, importsOf };
}

/** Reads each module once. */
function importsIn(graph: ModuleGraph): (id: string) => Imports {
  const exportedBy = once((index: string) => modulesByName(index, graph.getModuleInfo(index)?.code ?? ""));
  return once((id) => {
    const module = graph.getModuleInfo(id);
    if (module === null) return { imported: [], onUse: [], length: 0 };
    const code = module.code ?? "";
    const imported = module.importedIds.flatMap((from) => {
      const library = wholeLibrary.exec(from)?.[1];
      return library === undefined ? [from] : takenFrom(code, library, exportedBy(from));
    });
    return { imported, onUse: module.dynamicallyImportedIds, length: id.endsWith(".css") ? 0 : code.length };
  });
}

function once<T>(read: (id: string) => T): (id: string) => T {
  const results = new Map<string, T>();
  return (id) => {
    const known = results.get(id);
    if (known !== undefined) return known;
    const result = read(id);
    results.set(id, result);
    return result;
  };
}

/** The modules of what the file of a whole library imports, by the names it gives them. */
const modulesByName = (index: string, code: string): ReadonlyMap<string, string> =>
  new Map(
    [...code.matchAll(namedImports)].flatMap(([, list = "", from = ""]) =>
      namesIn(list).map(({ given }): [string, string] => [given, posix.join(posix.dirname(index), from)]),
    ),
  );

const takenFrom = (code: string, library: string, modules: ReadonlyMap<string, string>): string[] =>
  [...code.matchAll(namedImports)].flatMap(([, list = "", from]) =>
    from === library ? namesIn(list).flatMap(({ original }) => modules.get(original) ?? []) : [],
  );

const namesIn = (list: string): { original: string; given: string }[] =>
  list.split(",").flatMap((entry) => {
    const [original = "", given = original] = entry.trim().split(" as ");
    return original === "" ? [] : [{ original, given }];
  });
