/** A word of a text, as it is compared: without accents, in lower case. */
export interface Word {
  readonly word: string;
  /** Where it is in the text: from `start` to before `end`. */
  readonly start: number;
  readonly end: number;
}

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
    add(words, whole, index);
    const parts = whole.split(innerBoundary);
    if (parts.length === 1) continue;
    let start = index;
    for (const part of parts) {
      add(words, part, start);
      start += part.length;
    }
  }
  return words;
}

/** Like `wordsOf`; the first word is the whole name without its separators, so that `windspeed` finds `wind_speed`. */
export function wordsOfName(name: string): Word[] {
  const words = wordsOf(name);
  const whole = comparable(name.match(run)?.join("") ?? "");
  return whole === "" || words[0]?.word === whole ? words : [{ word: whole, start: 0, end: name.length }, ...words];
}

/** The words that a search has to find, each once. Names are split as in `wordsOf`, but not at digits. */
export const searchWords = (text: string): string[] => [
  ...new Set(
    Array.from(text.matchAll(run))
      .flatMap(([whole]) => whole.split(camelBoundary))
      .map(comparable)
      .filter((word) => word !== ""),
  ),
];

function add(words: Word[], part: string, start: number): void {
  const word = comparable(part);
  if (word !== "") words.push({ word, start, end: start + part.length });
}

const comparable = (part: string): string =>
  part
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .slice(0, maxWordCharacters)
    .replace(/\p{Cs}$/u, "");
