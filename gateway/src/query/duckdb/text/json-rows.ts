/** A value of a JSON object as text. Numbers keep their digits; objects and lists are their JSON without blanks. */
export interface JsonCell {
  readonly kind: "null" | "number" | "string" | "boolean" | "nested";
  readonly text: string;
}

export interface JsonObject {
  readonly cells: ReadonlyMap<string, JsonCell>;
  /** Keys that occur more than once; the last value counts. */
  readonly repeatedKeys: number;
  /** Halves of characters of two parts, which became U+FFFD. */
  readonly halfCharacters: number;
}

/** The text is no JSON at this position. */
class JsonFault extends Error {}

const maxDepth = 500;
const maxNames = 20_000;
/** The pattern of a number as JSON writes it. */
export const numberText = "-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?";
const numberPattern = new RegExp(numberText, "y");
const position = `\\[(?:${numberText}(?:,${numberText}){0,3})?\\]`;
/** Positions without blanks, which are their own JSON. Geometries have millions of them: one by one, they take many times their size. */
const positionsPattern = new RegExp(`${position}(?:,${position}){0,499}`, "y");
/** Words that some programs write for numbers. */
const wordPattern = /true|false|null|-?Infinity|NaN/y;

/** One object, or why the text is none. */
export function parseObject(text: string): JsonObject | string {
  const parser = new Parser(text);
  try {
    return parser.whole();
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    if (parser.at >= text.trimEnd().length) return "it ends too early";
    return `column ${parser.at + 1}: ${error.message}`;
  }
}

/** One value of any kind; undefined if the text is none. */
export function parseValue(text: string): JsonCell | undefined {
  const parser = new Parser(text);
  try {
    return parser.only();
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    return undefined;
  }
}

class Parser {
  readonly #text: string;
  at = 0;
  #repeatedKeys = 0;
  #halfCharacters = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): JsonObject | string {
    this.#blanks();
    if (this.#text[this.at] !== "{") {
      this.only();
      return "not a JSON object";
    }
    const cells = this.#object();
    this.#end();
    return { cells, repeatedKeys: this.#repeatedKeys, halfCharacters: this.#halfCharacters };
  }

  only(): JsonCell {
    this.#blanks();
    const value = this.#value(0);
    this.#end();
    return value;
  }

  #end(): void {
    this.#blanks();
    if (this.at < this.#text.length) throw new JsonFault("no JSON");
  }

  #blanks(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      this.at += 1;
    }
  }

  #expect(character: string): void {
    this.#blanks();
    if (this.#text[this.at] !== character) throw new JsonFault("no JSON");
    this.at += 1;
  }

  #object(): Map<string, JsonCell> {
    const cells = new Map<string, JsonCell>();
    this.#members("}", () => {
      const key = this.#string();
      this.#expect(":");
      this.#blanks();
      if (cells.has(key)) this.#repeatedKeys += 1;
      cells.set(key, this.#value(0));
      // Far more than a table may have, and each takes many times as long as a character.
      if (cells.size > maxNames) throw new JsonFault("it has too many names");
    });
    return cells;
  }

  /** The members between brackets, separated by commas. */
  #members(end: string, member: () => void): void {
    this.at += 1;
    this.#blanks();
    if (this.#text[this.at] === end) {
      this.at += 1;
      return;
    }
    for (;;) {
      this.#blanks();
      member();
      this.#blanks();
      const next = this.#text[this.at];
      if (next !== "," && next !== end) throw new JsonFault("no JSON");
      this.at += 1;
      if (next === end) return;
    }
  }

  #value(depth: number): JsonCell {
    const first = this.#text[this.at];
    if (first === '"') return { kind: "string", text: this.#string() };
    return first === "{" || first === "[" ? { kind: "nested", text: this.#nested(depth + 1) } : this.#scalar();
  }

  #scalar(): JsonCell {
    numberPattern.lastIndex = this.at;
    const number = numberPattern.exec(this.#text)?.[0];
    wordPattern.lastIndex = this.at;
    const word = wordPattern.exec(this.#text)?.[0];
    const token = word ?? number;
    if (token === undefined) throw new JsonFault("no JSON");
    this.at += token.length;
    if (/[\w.+-]/.test(this.#text[this.at] ?? "")) throw new JsonFault("no JSON");
    if (token === "null" || token === "NaN") return { kind: "null", text: "" };
    if (token === "true" || token === "false") return { kind: "boolean", text: token };
    return { kind: word === undefined ? "number" : "string", text: token };
  }

  #nested(depth: number): string {
    if (depth > maxDepth) throw new JsonFault("it is nested too deeply");
    const isObject = this.#text[this.at] === "{";
    const parts: string[] = [];
    this.#members(isObject ? "}" : "]", () => {
      const positions = isObject ? undefined : this.#positions();
      if (positions !== undefined) {
        parts.push(positions);
        return;
      }
      const key = isObject ? `${JSON.stringify(this.#string())}:` : "";
      if (isObject) {
        this.#expect(":");
        this.#blanks();
      }
      const { kind, text } = this.#value(depth);
      parts.push(key + (kind === "string" ? JSON.stringify(text) : kind === "null" ? "null" : text));
    });
    return isObject ? `{${parts.join(",")}}` : `[${parts.join(",")}]`;
  }

  /** Positions that follow each other from here on; undefined if there is none. */
  #positions(): string | undefined {
    positionsPattern.lastIndex = this.at;
    const found = positionsPattern.exec(this.#text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  #string(): string {
    if (this.#text[this.at] !== '"') throw new JsonFault("no JSON");
    const start = this.at;
    let end = start + 1;
    for (;;) {
      end = this.#text.indexOf('"', end);
      if (end < 0) {
        this.at = this.#text.length;
        throw new JsonFault("no JSON");
      }
      let backslashes = 0;
      while (this.#text[end - 1 - backslashes] === "\\") backslashes += 1;
      if (backslashes % 2 === 0) break;
      end += 1;
    }
    this.at = end + 1;
    const raw = this.#text.slice(start + 1, end);
    if (!raw.includes("\\")) return raw;
    const text = unescaped(raw);
    if (text === undefined) {
      this.at = start;
      throw new JsonFault("no JSON");
    }
    if (!/\p{Cs}/u.test(text)) return text;
    return text.replaceAll(/\p{Cs}/gu, () => {
      this.#halfCharacters += 1;
      return "\ufffd";
    });
  }
}

function unescaped(raw: string): string | undefined {
  try {
    // Control characters are not allowed there, but do no harm.
    return JSON.parse(
      `"${raw.replaceAll(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`,
    ) as string;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
