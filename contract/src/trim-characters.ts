/**
 * Trims the given characters from both ends of `text`. A loop, because `/[…]+$/` takes quadratic time on long runs that do not
 * end the text.
 */
export const trimCharacters = (text: string, characters: string): string =>
  trimEndCharacters(trimStartCharacters(text, characters), characters);

export function trimEndCharacters(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

function trimStartCharacters(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start++;
  return text.slice(start);
}
