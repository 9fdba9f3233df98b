export const numbered = (changes: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 40 }, (_, index) => changes[index + 1] ?? `line ${index + 1}`).join("\n");
