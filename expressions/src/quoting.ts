const maxShown = 40;

/** A part of a formula, cut if it is long. */
export function shortened(text: string): string {
  const characters = Array.from(text.replaceAll(/\s+/g, " "));
  return characters.length > maxShown ? `${characters.slice(0, maxShown - 1).join("")}…` : characters.join("");
}

/** As messages show names and parts of a formula. */
export const inQuotes = (text: string): string => `'${shortened(text)}'`;
