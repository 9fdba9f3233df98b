import { z } from "zod";

/** PostgreSQL cannot hold U+0000, and half a surrogate pair is no character. */
export const isStorable = (text: string): boolean => !/[\0\p{Cs}]/u.test(text);

/** Any text that the database can hold. */
export const storableText = z.string().refine(isStorable, "must not hold a null character");

/** Text of several lines. */
export const prose = (max: number) => storableText.max(max);

/** Text of several lines that is kept as it was typed, but not empty of words. */
export const requiredProse = (max: number) => prose(max).refine((text) => text.trim() !== "", "is blank");

/** Text of one line that only its author chooses, such as a search pattern. See `plainLine` for what people read. */
export const singleLine = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), "must not hold control characters");

/** The same where something has to stand. */
export const requiredLine = (max: number) => singleLine(max).min(1);

const controls = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
/** Marks that turn the reading direction: a name could read as another. */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** Characters that nothing shows, such as a zero-width space or a soft hyphen. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u;
/** Signs of Arabic and its neighbors that are formatting characters by category, but are seen. */
const visibleFormats = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2]/gu;

/**
 * Joiners and variation selectors where a script or an emoji needs them (as in Unicode's UAX 31 and RFC 5892): between letters
 * of scripts that join, after a virama, between the parts of an emoji and behind one.
 */
const neededJoiners = new RegExp(
  [
    String.raw`(?<=[\p{sc=Arab}\p{sc=Syrc}\p{sc=Mong}\p{sc=Nkoo}\p{sc=Thaa}]\p{M}*)[\u200c\u200d](?=[\p{sc=Arab}\p{sc=Syrc}\p{sc=Mong}\p{sc=Nkoo}\p{sc=Thaa}])`,
    String.raw`(?<=[\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Khmr}]\p{M}*)[\u200c\u200d]`,
    String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d(?=\p{Extended_Pictographic})`,
    String.raw`(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]`,
    String.raw`(?<=[\d#*])\ufe0f(?=\u20e3)`,
    // The whole run at once: looking back over it from each of its characters would take quadratic time.
    String.raw`(?<=\u{1f3f4})[\u{e0020}-\u{e007f}]+`,
  ].join("|"),
  "gu",
);

/** Upper bound on lines that are checked: more than any name or address may hold. */
const maxLineCharacters = 2_000;

/** What is wrong with a text that people read in one line; each continues "the name …". Empty: nothing. */
export function lineProblems(text: string): string[] {
  // The joiners' pattern looks back over the marks before each character.
  if (text.length > maxLineCharacters) return [`must not hold more than ${maxLineCharacters} characters`];
  const plain = text.replaceAll(visibleFormats, "").replaceAll(neededJoiners, "");
  return [
    ...(controls.test(plain) ? ["must not hold control characters"] : []),
    ...(directions.test(plain) ? ["must not hold marks that turn the reading direction"] : []),
    ...(invisible.test(plain.replaceAll(new RegExp(directions, "gu"), "").replaceAll(new RegExp(controls, "gu"), ""))
      ? ["must not hold invisible characters"]
      : []),
  ];
}

/** What is wrong with a name; each continues "the name …". Empty: nothing. */
export function nameProblems(name: string): string[] {
  if (name.replaceAll(/[\s\u2800\p{Default_Ignorable_Code_Point}]/gu, "") === "") return ["is blank"];
  return [...lineProblems(name), ...(name === normalName(name) ? [] : ["must not begin or end with spaces, and is not in normal form"])];
}

/** The same for a key: what stands in paths and tells one thing from another. No script's joiners are taken here. */
export function keyProblems(key: string): string[] {
  const problems = nameProblems(key);
  const joiners = problems.length === 0 && /[\p{Default_Ignorable_Code_Point}]/u.test(key) ? ["must not hold invisible characters"] : [];
  const path = /\//.test(key) || key === "." || key === ".." ? ["must not hold '/' or be dots alone"] : [];
  return [...problems, ...joiners, ...path];
}

/** As names are kept: without spaces at the ends, and in one form however they were typed. */
export const normalName = (name: string): string => name.trim().normalize("NFC");

/** A name by which something stored is found. Whatever it was saved with, it can still be read, changed and deleted. */
export const storedName = storableText.trim().max(1_000);

/** How names that were saved before names had one form may be spelled. */
export const spellings = (name: string): string[] => [...new Set([name, name.normalize("NFC")])];

const checked = (problems: (text: string) => string[], min: number, max: number) =>
  z
    .string()
    .trim()
    .normalize("NFC")
    .superRefine((text, context) => {
      // A text that is too long is refused for that alone, before anything else looks at it.
      if (text !== "" && text.length <= max) for (const message of problems(text)) context.addIssue({ code: "custom", message });
    })
    .min(min, min === 1 ? "is blank" : undefined)
    .max(max);

/** One line for people, such as a person's name or an address: no control, direction or invisible characters. */
export const plainLine = (min: number, max: number) => checked(lineProblems, min, max);

/** A new name of something that people tell apart by its name. */
export const newName = (max: number) => checked(nameProblems, 1, max);

/** A new key: a name that may stand in a path. Decision 0131. */
export const newKey = (max: number, min = 1) => checked(keyProblems, min, max);
