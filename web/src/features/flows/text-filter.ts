/** Whether each word of a filter occurs in one of the texts, in any case. */
export function matchesWords(filter: string, texts: readonly string[]): boolean {
  const lowered = texts.map((text) => text.toLowerCase());
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lowered.some((text) => text.includes(word)));
}
