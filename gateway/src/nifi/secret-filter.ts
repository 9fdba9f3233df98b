import { plainText } from "./plain-text.ts";

/**
 * Finds the secrets in texts, as they are or as they are usually encoded. Upper and lower case count as the same, because encodings
 * differ in it.
 */
export function secretFilter(secrets: readonly string[]): (text: string) => boolean {
  const spelled = new Set(secrets.flatMap(spellings).map((spelling) => spelling.toLowerCase()));
  spelled.delete("");
  return (text) => {
    const texts = [text, inOneLine(text)].map((one) => one.toLowerCase());
    return [...spelled].some((spelling) => texts.some((one) => one.includes(spelling)));
  };
}

const inOneLine = (text: string): string => plainText(text, Infinity);

function spellings(secret: string): string[] {
  // Lone surrogates have no URI encoding.
  const wellFormed = Buffer.from(secret).toString();
  const json = JSON.stringify(secret).slice(1, -1);
  const ascii = json.replaceAll(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return [
    secret,
    inOneLine(secret),
    encodeURIComponent(wellFormed),
    new URLSearchParams({ x: wellFormed }).toString().slice("x=".length),
    json,
    ascii,
    Buffer.from(secret)
      .toString("base64")
      .replace(/={1,2}$/, ""),
    Buffer.from(secret).toString("base64url"),
  ];
}
