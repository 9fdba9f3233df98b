import { UnreadableData } from "#query/engine.ts";

/** A value of a list in a JSON document. */
export interface JsonElement {
  readonly text: string;
  /** Line of its beginning, from 1. */
  readonly line: number;
  /** Keys that lead to its list, joined by dots; empty for the outermost one. */
  readonly path: string;
  readonly isObject: boolean;
  /** Whether the document ends within it. */
  readonly isCut: boolean;
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket, comma, colon, lineFeed] = [34, 92, 123, 125, 91, 93, 44, 58, 10];

/** Stands for a list that nobody wants. */
const passedOver = "\u0000";
/** One of more characters would take several times its size in memory. Of map features, the largest have some ten million. */
const maxElementCharacters = 50_000_000;
/** Lists that lie deeper are not looked for. */
const maxPathDepth = 4;

/**
 * Finds the elements of the lists of a JSON document, piece by piece: those of the outermost list, those of lists in objects, and
 * the outermost values themselves if there are several or if they are objects. Lists within elements are part of these.
 */
export class JsonDocument {
  /** Elements of other lists are counted by the caller, but their texts are not kept. */
  readonly #wanted: string | null;
  #line = 1;
  /** The objects that enclose the current position, with their current keys; the outermost list is none of them. */
  readonly #keys: string[] = [];
  /** The list whose elements are read; undefined outside of lists. */
  #list: string | undefined;
  #element: { line: number; isObject: boolean; depth: number; parts: string[]; characters: number } | undefined;
  #isInString = false;
  #isEscaped = false;
  /** Of a key that is being read. */
  #string: string | undefined;
  #expectsKey = false;
  /** Outermost values other than the list. */
  #rootObjects = 0;

  /** `wanted`: the list whose elements' texts are kept. `readsRoots`: the outermost values are the elements. */
  constructor(wanted: string | null, readsRoots = false) {
    this.#wanted = wanted;
    if (readsRoots) this.#list = "";
  }

  /** The number of outermost objects. */
  get rootObjects(): number {
    return this.#rootObjects;
  }

  *push(text: string): Generator<JsonElement> {
    let start = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === lineFeed) this.#line += 1;
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (code === backslash) this.#isEscaped = true;
        else if (code === quote) this.#isInString = false;
        if (this.#element === undefined && this.#string !== undefined) {
          if (this.#isInString) this.#string += text[at] ?? "";
          else this.#setKey();
        }
        continue;
      }
      if (this.#element !== undefined) {
        const element = this.#element;
        if (code === quote) this.#isInString = true;
        else if (code === openBrace || code === openBracket) element.depth += 1;
        else if (code === closeBrace || code === closeBracket) {
          element.depth -= 1;
          if (element.depth < 0) {
            // A bare value ends with its list.
            yield this.#end(text, start, at);
            this.#close(code);
          } else if (element.depth === 0) yield this.#end(text, start, at + 1);
        } else if (code === comma && element.depth === 0) yield this.#end(text, start, at);
        continue;
      }
      if (code === quote) {
        if (this.#list !== undefined) {
          this.#begin(false, 0);
          start = at;
        } else if (this.#expectsKey) this.#string = "";
        this.#isInString = true;
      } else if (code === openBrace) {
        if (this.#list !== undefined) {
          this.#begin(true, 1);
          start = at;
        } else this.#openObject();
      } else if (code === openBracket) {
        if (this.#list !== undefined) {
          this.#begin(false, 1);
          start = at;
        } else this.#list = this.#keys.join(".");
      } else if (code === closeBrace || code === closeBracket) this.#close(code);
      else if (code === comma) this.#expectsKey = this.#keys.length > 0;
      else if (code === colon) this.#expectsKey = false;
      else if (code > 32 && this.#list !== undefined) {
        this.#begin(false, 0);
        start = at;
      }
    }
    if (this.#element !== undefined) this.#keep(text.slice(start));
  }

  /** Whether the document, as far as it has been read, is whole: each list and object is closed. */
  get isWhole(): boolean {
    return this.#element === undefined && this.#list === undefined && this.#keys.length === 0;
  }

  /** The elements at the end of the document. */
  *end(): Generator<JsonElement> {
    if (this.#element !== undefined) yield { ...this.#end("", 0, 0), isCut: true };
  }

  #begin(isObject: boolean, depth: number): void {
    this.#element = { line: this.#line, isObject, depth, parts: [], characters: 0 };
  }

  #keep(text: string): void {
    if (this.#list !== this.#wanted || this.#element === undefined) return;
    this.#element.characters += text.length;
    if (this.#element.characters > maxElementCharacters)
      throw new UnreadableData("JSON", `the value that begins on line ${this.#element.line} has more than 50 million characters`);
    this.#element.parts.push(text);
  }

  #end(text: string, start: number, end: number): JsonElement {
    this.#keep(text.slice(start, end));
    const { line = 1, isObject = false, parts = [] } = this.#element ?? {};
    this.#element = undefined;
    const path = this.#list ?? "";
    if (path === passedOver) this.#list = undefined;
    return { text: parts.join(""), line, isObject, path, isCut: false };
  }

  #openObject(): void {
    if (this.#keys.length === 0) this.#rootObjects += 1;
    if (this.#keys.length >= maxPathDepth) {
      // Deeper objects are passed over like an element of a list that nobody wants.
      this.#list = passedOver;
      this.#begin(true, 1);
      return;
    }
    this.#keys.push("");
    this.#expectsKey = true;
  }

  #close(code: number): void {
    if (code === closeBracket) this.#list = undefined;
    else this.#keys.pop();
  }

  #setKey(): void {
    const raw = this.#string ?? "";
    this.#string = undefined;
    try {
      this.#keys[this.#keys.length - 1] = JSON.parse(`"${raw}"`) as string;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      this.#keys[this.#keys.length - 1] = raw;
    }
  }
}
