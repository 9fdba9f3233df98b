/** How much of one text the portal shows and keeps. */
const maxCharacters = 1_000;
const maxNames = 5;
const maxNameCharacters = 200;

/**
 * Text of a NiFi or a flow as it may be shown and stored: in one line, cut, and without control characters and lone surrogates, which
 * PostgreSQL does not take.
 */
export function plainText(text: string, max = maxCharacters): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, " ").trim();
  return plain.length > max ? `${plain.slice(0, max - 1).replace(/\p{Cs}$/u, "")}…` : plain;
}

/** The first names of a list, and how many more there are. */
export function listedNames(names: readonly string[], max = maxNames): string {
  const first = names.slice(0, max).map((name) => plainText(name, maxNameCharacters));
  const more = names.length - first.length;
  return more > 0 ? `${first.join(", ")} and ${more.toLocaleString("en-US")} more` : first.join(", ");
}
