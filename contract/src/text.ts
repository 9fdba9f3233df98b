import { z } from "zod";

/** PostgreSQL cannot store U+0000, and lone surrogates are not valid Unicode. */
export const isStorable = (text: string): boolean => !/[\0\p{Cs}]/u.test(text);

/** Any text that the database can store. */
export const storableText = z.string().refine(isStorable, "must not contain a null character");

/** Multi-line text. */
export const prose = (max: number) => storableText.max(max);

/** Multi-line text that is stored as typed, but must not be blank. */
export const requiredProse = (max: number) => prose(max).refine((text) => text.trim() !== "", "is blank");

/** One line of technical text, such as a URL or pattern. See `plainLine` for display texts. */
export const singleLine = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), "must not contain control characters");

/** Like `singleLine`, but not empty. */
export const requiredLine = (max: number) => singleLine(max).min(1);

const controls = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
/** Marks that change the reading direction, which could make a name look like another. */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** Characters that are not displayed, such as a zero-width space or a soft hyphen. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u;
/** Signs of Arabic and related scripts that are formatting characters by category, but visible. */
const visibleFormats = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2]/gu;

/**
 * Joiners and variation selectors where a script or an emoji needs them (see UAX 31 and RFC 5892): between letters of joining
 * scripts, after a virama, between the parts of an emoji and after one.
 */
const neededJoiners = new RegExp(
  [
    String.raw`(?<=[\p{sc=Arab}\p{sc=Syrc}\p{sc=Mong}\p{sc=Nkoo}\p{sc=Thaa}]\p{M}*)[\u200c\u200d](?=[\p{sc=Arab}\p{sc=Syrc}\p{sc=Mong}\p{sc=Nkoo}\p{sc=Thaa}])`,
    String.raw`(?<=[\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Khmr}]\p{M}*)[\u200c\u200d]`,
    String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d(?=\p{Extended_Pictographic})`,
    String.raw`(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]`,
    String.raw`(?<=[\d#*])\ufe0f(?=\u20e3)`,
    // Matches the whole run at once: a lookbehind for each character would take quadratic time.
    String.raw`(?<=\u{1f3f4})[\u{e0020}-\u{e007f}]+`,
  ].join("|"),
  "gu",
);

/** Longer lines are refused without further checks. Exceeds the limit of every name and address. */
const maxLineCharacters = 2_000;

/** Problems of a one-line display text; each continues "the name …". Empty = valid. */
export function lineProblems(text: string): string[] {
  // The joiner pattern looks back over all marks before each character.
  if (text.length > maxLineCharacters) return [`must not contain more than ${maxLineCharacters} characters`];
  const plain = text.replaceAll(visibleFormats, "").replaceAll(neededJoiners, "");
  return [
    ...(controls.test(plain) ? ["must not contain control characters"] : []),
    ...(directions.test(plain) ? ["must not contain marks that change the reading direction"] : []),
    ...(invisible.test(plain.replaceAll(new RegExp(directions, "gu"), "").replaceAll(new RegExp(controls, "gu"), ""))
      ? ["must not contain invisible characters"]
      : []),
  ];
}

/** Problems of a name; each continues "the name …". Empty = valid. */
export function nameProblems(name: string): string[] {
  if (name.replaceAll(/[\s\u2800\p{Default_Ignorable_Code_Point}]/gu, "") === "") return ["is blank"];
  return [...lineProblems(name), ...(name === normalName(name) ? [] : ["must not begin or end with spaces, and is not in normal form"])];
}

/** Problems of a key, which identifies something and is part of paths. Keys must not contain joiners, even where a script needs them. */
export function keyProblems(key: string): string[] {
  const problems = nameProblems(key);
  const joiners = problems.length === 0 && /[\p{Default_Ignorable_Code_Point}]/u.test(key) ? ["must not contain invisible characters"] : [];
  const path = /\//.test(key) || key === "." || key === ".." ? ["must not contain '/' or consist only of dots"] : [];
  return [...problems, ...joiners, ...path];
}

/** The form in which names are stored: trimmed and in NFC. */
export const normalName = (name: string): string => name.trim().normalize("NFC");

/** A name that identifies something stored. Lenient, so that names saved under older rules can still be read, changed and deleted. */
export const storedName = storableText.trim().max(1_000);

/** Possible stored spellings of a name; names from before normalization may not be in NFC. */
export const spellings = (name: string): string[] => [...new Set([name, name.normalize("NFC")])];

const checked = (problems: (text: string) => string[], min: number, max: number) =>
  z
    .string()
    .trim()
    .normalize("NFC")
    .superRefine((text, context) => {
      // A text that is too long is refused for its length only.
      if (text !== "" && text.length <= max) for (const message of problems(text)) context.addIssue({ code: "custom", message });
    })
    .min(min, min === 1 ? "is blank" : undefined)
    .max(max);

/** One line of display text, such as a person's name: no control, direction or invisible characters. */
export const plainLine = (min: number, max: number) => checked(lineProblems, min, max);

/** A new name, which is required. */
export const newName = (max: number) => checked(nameProblems, 1, max);

/** A new key: a name that may be part of a path. Decision 0131. */
export const newKey = (max: number, min = 1) => checked(keyProblems, min, max);
