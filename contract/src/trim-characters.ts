/**
 * `text` without the given characters at its ends. Written as a loop because `/[…]+$/` starts over at every character of
 * a long run that does not end the text, which takes quadratic time.
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
