const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Thai}/u,
];

/** The bits of a character's kind, with the position of its script in `scripts`, from 1 on, above them; 0 for other scripts. */
const [foreignBit, letterBit, markBit, smallBit, capitalBit, wordSignBit, inWordBit, beyondAsciiBit, knownBit] = [
  1, 2, 4, 8, 16, 32, 64, 128, 256,
] as const;
const scriptShift = 9;

const tests: readonly (readonly [bit: number, pattern: RegExp])[] = [
  // Characters that texts do not hold: controls, unassigned and private ones, replacements, and the frames of DOS.
  [foreignBit, /[\p{Cc}\p{Cn}\p{Co}\ufffd\u2500-\u259f]/u],
  [letterBit, /\p{L}/u],
  [markBit, /\p{M}/u],
  [smallBit, /\p{Ll}/u],
  [capitalBit, /\p{Lu}/u],
  [wordSignBit, /['\u2019\u02bc\u00b7\u30fb\u30fc-]/u],
  // A letter or a sign beyond ASCII, other than the punctuation of East Asia.
  [inWordBit, /\p{L}|[^\0-\u00a0\s\u3000-\u303f\uff00-\uffef]/u],
  [beyondAsciiBit, /[^\0-\u007f]/u],
];

/** Kinds by code point, filled in on demand: a text in each of 22 encodings would otherwise take seconds of regular expressions. */
const kinds = new Uint16Array(0x11_0000);

function kindOf(character: string): number {
  const codePoint = character.codePointAt(0) ?? 0;
  const known = kinds[codePoint] ?? 0;
  if (known !== 0) return known;
  let kind: number = knownBit;
  for (const [bit, pattern] of tests) if (pattern.test(character)) kind |= bit;
  // Letters of other scripts mix with Latin ones in real texts.
  if ((kind & letterBit) !== 0) kind |= (scripts.findIndex((script) => script.test(character)) + 1) << scriptShift;
  kinds[codePoint] = kind;
  return kind;
}

/**
 * The share of the characters beyond ASCII that hardly occur where they stand: foreign ones, signs within words, words of two scripts
 * (`dйjа`) and capitals after small letters (`јЮбЪТР`). A text that is decoded by another encoding than its own holds many.
 */
export function implausibleShare(text: string): number {
  const characters = Array.from(text.replaceAll(/[\r\n\t]/g, " "), kindOf);
  const none = kindOf(" ");
  let beyond = 0;
  let implausible = 0;
  for (const [index, kind] of characters.entries()) {
    if ((kind & beyondAsciiBit) === 0) continue;
    beyond += 1;
    if (isImplausible(kind, characters[index - 1] ?? none, characters[index + 1] ?? none)) implausible += 1;
  }
  return beyond === 0 ? 0 : implausible / beyond;
}

/** Of the kinds of a character and its neighbors. */
function isImplausible(kind: number, before: number, after: number): boolean {
  const bothNeighborsHave = (bit: number) => (before & after & bit) !== 0;
  if ((kind & foreignBit) !== 0) return true;
  if ((kind & (letterBit | markBit)) === 0) return (kind & wordSignBit) === 0 && bothNeighborsHave(inWordBit);
  const script = kind >> scriptShift;
  if (script === 0) return bothNeighborsHave(smallBit) && (kind & markBit) === 0;
  if ([before >> scriptShift, after >> scriptShift].some((other) => other !== 0 && other !== script)) return true;
  return (kind & capitalBit) === 0 ? (after & capitalBit) !== 0 : (before & smallBit) !== 0;
}
