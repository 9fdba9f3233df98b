import { type OutputStep, type Step, indexOf, keyAt, lookUp, parseLookup, parseOutputPath, parsePieces, textOf } from "./shift-paths.ts";
import { JoltProblem, copyOf, emptyMap, entriesOf, isMap } from "./values.ts";
import { type Matched, bySpecificity, starMatcher } from "./wildcards.ts";

/** Target of a matched value: output paths to write it to, or rules for its own keys. */
type Target = readonly OutputStep[][] | Level;

/** A parsed level of a specification. */
interface Level {
  /** `@`, `$`, `#`: apply to every value at this level, whatever its keys. */
  readonly specials: readonly { readonly find: (walked: readonly Step[]) => unknown; readonly target: Target }[];
  readonly literals: ReadonlyMap<string, Target>;
  readonly computed: readonly { readonly match: (key: string, walked: readonly Step[]) => Matched | undefined; readonly target: Target }[];
}

const maxWrites = 100_000;

/** Jolt's shift: copies values of the input to the output paths of the specification. Undefined if nothing is copied. */
export function shift(spec: unknown, input: unknown): unknown {
  const level = parseLevel(spec, "spec");
  const writer = new Writer();
  const root: Step = { value: input, matched: { key: "root", parts: [] }, matches: 0 };
  walk(level, input, [root], writer);
  return writer.output;
}

function parseLevel(spec: unknown, at: string): Level {
  if (!isMap(spec)) throw new JoltProblem("A shift needs an object.", at);
  const specials: { find: (walked: readonly Step[]) => unknown; target: Target }[] = [];
  const literals = new Map<string, Target>();
  const computed: { pattern: string; match: Level["computed"][number]["match"]; target: Target }[] = [];
  for (const [key, value] of Object.entries(spec)) {
    const target = parseTarget(value, `${at}.${key}`);
    const find = specialOf(key);
    if (find) {
      specials.push({ find, target });
      continue;
    }
    for (const name of splitNames(key)) {
      if (name.includes("&") && !name.includes("\\&")) {
        const pieces = parsePieces(name);
        computed.push({
          pattern: "",
          match: (one, walked) => (textOf(pieces, walked) === one ? { key: one, parts: [] } : undefined),
          target,
        });
      } else if (/(?<!\\)\*/.test(name)) {
        computed.push({ pattern: name, match: starMatcher(name), target });
      } else literals.set(unescaped(name), target);
    }
  }
  return { specials, literals, computed: computed.toSorted((a, b) => bySpecificity(a.pattern, b.pattern)) };
}

/** Parses a special key: `$` yields the key, `@` the value, `#text` the text. */
function specialOf(key: string): ((walked: readonly Step[]) => unknown) | undefined {
  if (key.startsWith("#")) return () => key.slice(1);
  if (key.startsWith("@")) {
    const { piece } = parseLookup(key);
    return (walked) => lookUp(walked, piece);
  }
  const dollar = /^\$(?:\((\d+)(?:,(\d+))?\)|(\d+))?$/.exec(key);
  return dollar ? (walked) => keyAt(walked, Number(dollar[1] ?? dollar[3] ?? 0), Number(dollar[2] ?? 0)) : undefined;
}

const splitNames = (key: string): string[] => key.split(/(?<!\\)\|/);
const unescaped = (name: string): string => name.replaceAll(/\\(.)/gs, "$1");

function parseTarget(value: unknown, at: string): Target {
  if (value === null) return [];
  if (typeof value === "string") return [parsePath(value, at)];
  if (Array.isArray(value)) return value.map((one, index) => parsePath(one, `${at}.${index}`));
  return parseLevel(value, at);
}

function parsePath(value: unknown, at: string): OutputStep[] {
  if (typeof value !== "string") throw new JoltProblem("An output path is a text.", at);
  try {
    return parseOutputPath(value);
  } catch (error) {
    if (error instanceof JoltProblem) throw new JoltProblem(error.message, at);
    throw error;
  }
}

function walk(level: Level, value: unknown, walked: readonly Step[], writer: Writer): void {
  for (const { find, target } of level.specials) {
    const found = find(walked);
    if (found === undefined) continue;
    // A special counts as a level of its own in output paths, with this level's key and value.
    const step: Step = { value, matched: walked.at(-1)?.matched ?? { key: "", parts: [] }, matches: 0 };
    if (Array.isArray(target)) for (const path of target as OutputStep[][]) writer.write(path, found, [...walked, step]);
    else walk(target as Level, found, [...walked, step], writer);
  }
  const entries = keysOf(value);
  const ordered = level.computed.length > 0 ? entries : orderedLike(level.literals, entries);
  for (const [key, inner] of ordered) {
    const literal = level.literals.get(key);
    if (literal) applyMatch({ key, parts: [] }, literal, inner, walked, writer);
    else {
      for (const { match, target } of level.computed) {
        const matched = match(key, walked);
        if (!matched) continue;
        applyMatch(matched, target, inner, walked, writer);
        break;
      }
    }
  }
}

/** A text, number or boolean is matched like a key without a value. */
function keysOf(value: unknown): [string, unknown][] {
  if (typeof value === "object" && value !== null) return entriesOf(value);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? [[String(value), undefined]] : [];
}

const orderedLike = (literals: ReadonlyMap<string, Target>, entries: [string, unknown][]): [string, unknown][] => {
  const byKey = new Map(entries);
  return [...literals.keys()].flatMap((key): [string, unknown][] => (byKey.has(key) ? [[key, byKey.get(key)]] : []));
};

function applyMatch(matched: Matched, target: Target, value: unknown, walked: readonly Step[], writer: Writer): void {
  const steps = [...walked, { value, matched, matches: 0 }];
  if (!Array.isArray(target)) walk(target as Level, value, steps, writer);
  else if (value !== undefined) for (const path of target as OutputStep[][]) writer.write(path, value, steps);
  const parent = walked.at(-1);
  if (parent) parent.matches += 1;
}

/** Writes values to output paths. A second value at the same path turns it into a list. */
class Writer {
  readonly #container = emptyMap();
  #writes = 0;

  get output(): unknown {
    return this.#container["root"];
  }

  write(path: readonly OutputStep[], value: unknown, walked: readonly Step[]): void {
    this.#writes += 1;
    if (this.#writes > maxWrites) throw new JoltProblem(`A step may write ${maxWrites} values.`);
    const keys: (string | number)[] = ["root"];
    const kinds: OutputStep["kind"][] = ["key"];
    for (const { kind, pieces } of path) {
      const text = pieces.length === 0 ? "" : textOf(pieces, walked);
      // A path with an unresolved reference is skipped.
      if (text === undefined) return;
      const key = kind === "key" ? text : pieces.length === 0 ? "end" : indexOf(text);
      if (key === undefined) return;
      keys.push(key);
      kinds.push(kind);
    }
    this.#set(keys, kinds, copyOf(value));
  }

  #set(keys: readonly (string | number)[], kinds: readonly OutputStep["kind"][], value: unknown): void {
    let container: object = this.#container;
    for (const [depth, key] of keys.entries()) {
      const name = kinds[depth] === "index" ? growTo(container as unknown[], key) : String(key);
      const parent = container as Record<string, unknown>;
      const current = Object.hasOwn(parent, name) ? parent[name] : undefined;
      if (depth === keys.length - 1) {
        if (current === undefined || current === null) parent[name] = value;
        else if (Array.isArray(current)) current.push(value);
        else parent[name] = [current, value];
        return;
      }
      const needsList = kinds[depth + 1] === "index";
      if (current !== undefined && current !== null && (needsList ? !Array.isArray(current) : !isMap(current))) {
        throw new JoltProblem(
          `'${keys.slice(1, depth + 1).join(".")}' is written as ${needsList ? "a list" : "an object"} and as something else.`,
        );
      }
      container = current ?? (parent[name] = needsList ? [] : emptyMap());
    }
  }
}

/** Fills a list with nulls up to an index, and returns the index as a key. */
function growTo(list: unknown[], key: string | number): string {
  const index = key === "end" ? list.length : Number(key);
  while (list.length < index) list.push(null);
  return String(index);
}
