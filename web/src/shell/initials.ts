/** Two letters for a name: of its first and last word, or of its only one. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters =
    words.length > 1 ? [words[0], words.at(-1)].map((word) => Array.from(word ?? "")[0]) : Array.from(words[0] ?? "").slice(0, 2);
  return letters.join("").toUpperCase();
}
