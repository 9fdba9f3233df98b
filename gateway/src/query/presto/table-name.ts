/** The parts of `catalog.schema.table` or of its beginning; each may be quoted, and then contain dots. Undefined if it is no such name. */
export function namePartsOf(name: string): readonly string[] | undefined {
  if (name === "") return [];
  const parts = [...name.matchAll(/(?:"((?:[^"]|"")+)"|([^".\s]+))(?:\.|$)/gy)];
  const matched = parts.reduce((sum, [text]) => sum + text.length, 0);
  if (parts.length > maxParts || matched !== name.length || name.endsWith(".")) return undefined;
  return parts.map(([, quoted, plain = ""]) => quoted?.replaceAll('""', '"') ?? plain);
}

const maxParts = 3;

/** The name with these parts, quoted where necessary. */
export const nameOfParts = (parts: readonly string[]): string =>
  parts.map((part) => (/^[a-z_][a-z\d_]*$/.test(part) ? part : `"${part.replaceAll('"', '""')}"`)).join(".");
