import { JoltProblem, largestIndex, valueAt } from "./values.ts";
import type { Matched } from "./wildcards.ts";

/** A level of the way to a value: what it is, what its key matched, and how many of its children have matched so far. */
export interface Step {
  readonly value: unknown;
  readonly matched: Matched;
  matches: number;
}

/** A piece of a path whose text comes from the way that was walked. */
type Piece =
  | { readonly kind: "text"; readonly text: string }
  /** `&`, `$`: the key some levels up, or a part of it that a star matched. */
  | { readonly kind: "key"; readonly up: number; readonly part: number }
  /** `@`: the value that a path finds, some levels up. */
  | { readonly kind: "value"; readonly up: number; readonly path: readonly (readonly Piece[])[] }
  /** `#` in brackets: how many children have matched, some levels up. */
  | { readonly kind: "count"; readonly up: number };

/** One step of an output path: a key of an object, or a place in a list; none of its pieces: the end of the list. */
export interface OutputStep {
  readonly kind: "key" | "index";
  readonly pieces: readonly Piece[];
}

const longestPath = 60;

/** `photos[&1].tag-&(0,1)` and the like. */
export function parseOutputPath(text: string): OutputStep[] {
  const steps: OutputStep[] = [];
  for (const part of splitOutside(text, ".")) {
    if (part === "") continue;
    // Brackets inside parentheses belong to a path of their own.
    const open = indexOutside(part, "[");
    const key = open < 0 ? part : part.slice(0, open);
    if (key !== "") steps.push({ kind: "key", pieces: parsePieces(key) });
    let rest = open < 0 ? "" : part.slice(open);
    while (rest !== "") {
      const close = indexOutside(rest, "]");
      if (!rest.startsWith("[") || close < 0) throw new JoltProblem(`'${text}' has a bracket that is not closed.`);
      const inner = rest.slice(1, close);
      steps.push({ kind: "index", pieces: inner === "" ? [] : parsePieces(inner, true) });
      rest = rest.slice(close + 1);
    }
  }
  if (steps.length > longestPath) throw new JoltProblem(`A path may have ${longestPath} steps.`);
  return steps;
}

/** `&`, `&1`, `&(1,2)`, `@`, `@2`, `@key`, `@(1,a.b)`, `#2` among other text. */
export function parsePieces(text: string, isIndex = false): Piece[] {
  const pieces: Piece[] = [];
  let plain = "";
  const flush = (): void => {
    if (plain !== "") pieces.push({ kind: "text", text: plain });
    plain = "";
  };
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at);
    const key = /^&(?:\((\d+)(?:,(\d+))?\)|(\d+))?/.exec(rest);
    const count = isIndex ? /^#(\d+)?/.exec(rest) : null;
    if (rest.startsWith("\\")) {
      plain += rest[1] ?? "\\";
      at += 2;
    } else if (key) {
      flush();
      pieces.push({ kind: "key", up: Number(key[1] ?? key[3] ?? 0), part: Number(key[2] ?? 0) });
      at += key[0].length;
    } else if (count) {
      flush();
      pieces.push({ kind: "count", up: Number(count[1] ?? 0) });
      at += count[0].length;
    } else if (rest.startsWith("@")) {
      flush();
      const { piece, length } = parseLookup(rest);
      pieces.push(piece);
      at += length;
    } else {
      plain += rest[0] ?? "";
      at += 1;
    }
  }
  flush();
  return pieces;
}

/** `@`, `@1`, `@(1,path)`, `@(path)`, `@path`. */
export function parseLookup(text: string): { piece: Extract<Piece, { kind: "value" }>; length: number } {
  const levels = /^@(\d+)/.exec(text);
  if (levels) return { piece: { kind: "value", up: Number(levels[1]), path: [] }, length: levels[0].length };
  if (text.startsWith("@(")) {
    const close = closingAt(text);
    const inner = text.slice(2, close);
    const found = /^(\d+)(?:,(.*))?$/s.exec(inner);
    // A place in a list is a step like any other.
    const steps = splitOutside((found ? (found[2] ?? "") : inner).replaceAll(/\[(\d+)\]/g, ".$1"), ".").filter((step) => step !== "");
    return { piece: { kind: "value", up: Number(found?.[1] ?? 0), path: steps.map((step) => parsePieces(step)) }, length: close + 1 };
  }
  const name = /^@([^.[\]]*)/.exec(text)?.[1] ?? "";
  return { piece: { kind: "value", up: 0, path: name === "" ? [] : [parsePieces(name)] }, length: name.length + 1 };
}

function closingAt(text: string): number {
  let open = 0;
  for (let at = 1; at < text.length; at += 1) {
    if (text[at] === "(") open += 1;
    if (text[at] === ")" && (open -= 1) === 0) return at;
  }
  throw new JoltProblem(`'${text}' has a parenthesis that is not closed.`);
}

/** What `@` finds. Undefined where there is nothing, or no such level. */
export function lookUp(walked: readonly Step[], { up, path }: Pick<Extract<Piece, { kind: "value" }>, "up" | "path">): unknown {
  return path.reduce<unknown>(
    (value, pieces) => {
      const key = textOf(pieces, walked);
      return key === undefined ? undefined : valueAt(value, key);
    },
    walked.at(-1 - up)?.value,
  );
}

/** The text that pieces make; undefined where one finds nothing. */
export function textOf(pieces: readonly Piece[], walked: readonly Step[]): string | undefined {
  let text = "";
  for (const piece of pieces) {
    const part = textOfPiece(piece, walked);
    if (part === undefined) return undefined;
    text += part;
  }
  return text;
}

function textOfPiece(piece: Piece, walked: readonly Step[]): string | undefined {
  switch (piece.kind) {
    case "text":
      return piece.text;
    case "key":
      return keyAt(walked, piece.up, piece.part);
    case "count": {
      const matches = walked.at(-1 - piece.up)?.matches;
      return matches === undefined ? undefined : String(matches);
    }
    case "value": {
      const found = lookUp(walked, piece);
      return typeof found === "string" || typeof found === "number" || typeof found === "boolean" ? String(found) : undefined;
    }
    default:
      return piece satisfies never;
  }
}

/** The key some levels up; part 0 is all of it. */
export function keyAt(walked: readonly Step[], up: number, part: number): string | undefined {
  const matched = walked.at(-1 - up)?.matched;
  return part === 0 ? matched?.key : matched?.parts[part - 1];
}

/** A place in a list; undefined for a text that is none. */
export function indexOf(text: string): number | undefined {
  if (!/^\d{1,15}$/.test(text)) return undefined;
  if (Number(text) > largestIndex) throw new JoltProblem(`A list may have ${largestIndex} places.`);
  return Number(text);
}

/** Splits at a character that is neither escaped nor in brackets or parentheses. */
function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let rest = text;
  for (let at = indexOutside(rest, separator); at >= 0; at = indexOutside(rest, separator)) {
    parts.push(rest.slice(0, at));
    rest = rest.slice(at + 1);
  }
  return [...parts, rest];
}

function indexOutside(text: string, wanted: string): number {
  let round = 0;
  let square = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\\") at += 1;
    else if (character === wanted && round === 0 && (square === 0 || (wanted === "]" && square === 1))) return at;
    else if (character === "(") round += 1;
    else if (character === ")") round -= 1;
    else if (character === "[") square += 1;
    else if (character === "]") square -= 1;
  }
  return -1;
}
