import { JoltProblem, maxIndex, valueAt } from "./values.ts";
import type { Matched } from "./wildcards.ts";

/** One level on the path to a value: its value, what its key matched, and how many of its children have matched so far. */
export interface Step {
  readonly value: unknown;
  readonly matched: Matched;
  matches: number;
}

/** A part of a path, resolved against the levels walked so far. */
type Piece =
  | { readonly kind: "text"; readonly text: string }
  /** `&`, `$`: the key some levels up, or a part of it that a star matched. */
  | { readonly kind: "key"; readonly up: number; readonly part: number }
  /** `@`: the value at a path, some levels up. */
  | { readonly kind: "value"; readonly up: number; readonly path: readonly (readonly Piece[])[] }
  /** `#` in brackets: the number of children that have matched, some levels up. */
  | { readonly kind: "count"; readonly up: number };

/** One step of an output path: a key of an object or an index of a list. An index without pieces means the end of the list. */
export interface OutputStep {
  readonly kind: "key" | "index";
  readonly pieces: readonly Piece[];
}

const maxPathSteps = 60;

/** Parses paths such as `photos[&1].tag-&(0,1)`. */
export function parseOutputPath(text: string): OutputStep[] {
  const steps: OutputStep[] = [];
  for (const part of splitOutside(text, ".")) {
    if (part === "") continue;
    // Brackets inside parentheses belong to a nested path.
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
  if (steps.length > maxPathSteps) throw new JoltProblem(`A path may have ${maxPathSteps} steps.`);
  return steps;
}

/** Parses text with `&`, `&1`, `&(1,2)`, `@`, `@2`, `@key`, `@(1,a.b)` and `#2`. */
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
    // An index is a step like any other.
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

/** Resolves `@`. Undefined if there is no value or no such level. */
export function lookUp(walked: readonly Step[], { up, path }: Pick<Extract<Piece, { kind: "value" }>, "up" | "path">): unknown {
  return path.reduce<unknown>(
    (value, pieces) => {
      const key = textOf(pieces, walked);
      return key === undefined ? undefined : valueAt(value, key);
    },
    walked.at(-1 - up)?.value,
  );
}

/** The text of resolved pieces; undefined if one of them cannot be resolved. */
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

/** The key some levels up; part 0 is the whole key. */
export function keyAt(walked: readonly Step[], up: number, part: number): string | undefined {
  const matched = walked.at(-1 - up)?.matched;
  return part === 0 ? matched?.key : matched?.parts[part - 1];
}

/** Parses a list index; undefined if the text is not one. */
export function indexOf(text: string): number | undefined {
  if (!/^\d{1,15}$/.test(text)) return undefined;
  if (Number(text) > maxIndex) throw new JoltProblem(`A list may have ${maxIndex} places.`);
  return Number(text);
}

/** Splits at a separator outside of escapes, brackets and parentheses. */
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
  let parentheses = 0;
  let brackets = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\\") at += 1;
    else if (character === wanted && parentheses === 0 && (brackets === 0 || (wanted === "]" && brackets === 1))) return at;
    else if (character === "(") parentheses += 1;
    else if (character === ")") parentheses -= 1;
    else if (character === "[") brackets += 1;
    else if (character === "]") brackets -= 1;
  }
  return -1;
}
