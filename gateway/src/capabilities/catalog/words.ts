import { unitName } from "./units.ts";

/** A word of a text, as it is compared: without accents, in lower case. */
export interface Word {
  readonly word: string;
  /** Range in the text: from `start` to before `end`. */
  readonly start: number;
  readonly end: number;
  /** Of a name or word that consists of others: these, with a space between them. */
  readonly parts?: string;
}

/**
 * In front of a name or word that consists of others, such as `=windspeed` for `wind_speed`: a search finds it as a whole, and
 * its parts by themselves. No other word starts with it.
 */
export const compoundMark = "=";

/** Longer words are cut off. */
export const maxWordCharacters = 64;

const run = /[\p{L}\p{N}\p{M}]+/gu;
/** Between the words of a camelCase name, and between letters and digits. */
const camelBoundary = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const innerBoundary = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;

/** The words of a text in order. A `camelCase` name or `b737` is a word itself, followed by its parts. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const { 0: whole, index } of text.matchAll(run)) {
    const parts = whole.split(innerBoundary);
    add(words, whole, index, parts);
    if (parts.length === 1) continue;
    let start = index;
    for (const part of parts) {
      add(words, part, start, [part]);
      start += part.length;
    }
  }
  return words;
}

/** Like `wordsOf`; the first word is the whole name without its separators, so that `windspeed` finds `wind_speed`. */
export function wordsOfName(name: string): Word[] {
  const words = wordsOf(name);
  const runs = name.match(run) ?? [];
  if (runs.length < 2) return words;
  const whole = { word: compoundMark + comparable(runs.join("")), start: 0, end: name.length };
  return [{ ...whole, parts: partsText(runs.flatMap((part) => part.split(innerBoundary))) }, ...words];
}

/** A word that a search has to find. */
export interface SearchedWord {
  readonly word: string;
  /** As it was typed. */
  readonly typed: string;
}

/**
 * The words that a search has to find, each once. Names are split as in `wordsOf`, but not at digits. The sign of a unit, such as
 * `°C` or `%`, is searched by the unit's name, which is part of the index.
 */
export function searchedWords(text: string): SearchedWord[] {
  const words = new Map<string, string>();
  for (const typed of text.split(/\s+/)) {
    const unit = unitName(typed);
    for (const [whole] of (unit ?? typed).matchAll(run)) {
      for (const part of whole.split(camelBoundary)) {
        const word = comparable(part);
        if (word !== "" && !words.has(word)) words.set(word, unit === undefined ? part : typed);
      }
    }
  }
  return Array.from(words, ([word, typed]) => ({ word, typed }));
}

function add(words: Word[], part: string, start: number, parts: readonly string[]): void {
  const word = comparable(part);
  if (word === "") return;
  const range = { start, end: start + part.length };
  words.push(parts.length === 1 ? { word, ...range } : { word: compoundMark + word, ...range, parts: partsText(parts) });
}

const partsText = (parts: readonly string[]): string => parts.map(comparable).join(" ");

const comparable = (part: string): string =>
  part
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .slice(0, maxWordCharacters)
    .replace(/\p{Cs}$/u, "");
