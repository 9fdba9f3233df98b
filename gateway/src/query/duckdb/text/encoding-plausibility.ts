const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Thai}/u,
];

/** The position in `scripts` of a letter's script; -1 for others, which mix with Latin letters in real texts. */
const scriptOf = (character: string): number => (/\p{L}/u.test(character) ? scripts.findIndex((script) => script.test(character)) : -1);

/** Characters that texts do not hold: controls, unassigned and private ones, replacements, and the frames of DOS. */
const isForeign = (character: string): boolean => /[\p{Cc}\p{Cn}\p{Co}\ufffd\u2500-\u259f]/u.test(character);

const isWordSign = (character: string): boolean => /['\u2019\u02bc\u00b7\u30fb\u30fc-]/u.test(character);

/**
 * The share of the characters beyond ASCII that hardly occur where they stand: foreign ones, signs within words, words of two scripts
 * (`dйjа`) and capitals after small letters (`јЮбЪТР`). A text that is decoded by another encoding than its own holds many.
 */
export function implausibleShare(text: string): number {
  const characters = Array.from(text.replaceAll(/[\r\n\t]/g, " "));
  let beyond = 0;
  let implausible = 0;
  for (const [index, character] of characters.entries()) {
    if (character <= "\u007f") continue;
    beyond += 1;
    if (isImplausible(character, characters[index - 1] ?? " ", characters[index + 1] ?? " ")) implausible += 1;
  }
  return beyond === 0 ? 0 : implausible / beyond;
}

/** A letter or a sign beyond ASCII, other than the punctuation of East Asia. */
const isInWord = (character: string): boolean =>
  /\p{L}/u.test(character) || (character > "\u00a0" && /[^\s\u3000-\u303f\uff00-\uffef]/u.test(character));

function isImplausible(character: string, before: string, after: string): boolean {
  if (isForeign(character)) return true;
  if (!/[\p{L}\p{M}]/u.test(character)) return !isWordSign(character) && isInWord(before) && isInWord(after);
  const script = scriptOf(character);
  if (script < 0) return /\p{Ll}/u.test(before) && /\p{Ll}/u.test(after) && !/\p{M}/u.test(character);
  if ([before, after].some((one) => scriptOf(one) >= 0 && scriptOf(one) !== script)) return true;
  return /\p{Lu}/u.test(character) ? /\p{Ll}/u.test(before) : /\p{Lu}/u.test(after);
}
