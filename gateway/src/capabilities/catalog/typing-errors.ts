/** Shorter words have to be typed correctly: too many others differ from them by one character. */
const minForgivenCharacters = 4;

/** From this length on, a similar word is a match even where the word itself occurs. */
const minDistinctCharacters = 6;

/** Whether matches of similar words count even if the word itself matches something. */
export const isDistinct = (word: string): boolean => word.length >= minDistinctCharacters;

/** Whether one is the other with a typing error: characters that are missing, wrong, added or swapped; two from 8 characters on. */
export function isTypingError(typed: string, word: string): boolean {
  if (typed.length < minForgivenCharacters || typed[0] !== word[0]) return false;
  const allowed = typed.length >= 8 ? 2 : 1;
  return Math.abs(typed.length - word.length) <= allowed && editDistance(typed, word) <= allowed;
}

/** The words that result from swapping two neighboring characters; trigrams hardly find them. */
export const swapped = (word: string): string[] =>
  word.length < minForgivenCharacters
    ? []
    : Array.from({ length: word.length - 2 }, (_, index) => index + 1).flatMap((at) =>
        word[at] === word[at + 1] ? [] : [word.slice(0, at) + (word[at + 1] ?? "") + (word[at] ?? "") + word.slice(at + 2)],
      );

/** Insertions, deletions, replacements and swaps of neighbors (optimal string alignment). */
function editDistance(one: string, other: string): number {
  let [beforePrevious, previous]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (beforePrevious[column - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [beforePrevious, previous] = [previous, current];
  }
  return previous[other.length] ?? 0;
}
