import { secretSpellings } from "#secrets/hide-secrets.ts";
import { plainText } from "./plain-text.ts";

/**
 * Finds the secrets in texts, as they are or as they are usually encoded. Upper and lower case count as the same, because encodings
 * differ in it.
 */
export function secretFilter(secrets: readonly string[]): (text: string) => boolean {
  const spelled = new Set(
    secrets.flatMap((secret) => [...secretSpellings(secret), inOneLine(secret)]).map((spelling) => spelling.toLowerCase()),
  );
  spelled.delete("");
  return (text) => {
    const texts = [text, inOneLine(text)].map((one) => one.toLowerCase());
    return [...spelled].some((spelling) => texts.some((one) => one.includes(spelling)));
  };
}

const inOneLine = (text: string): string => plainText(text, Infinity);
