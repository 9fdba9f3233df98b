/** A matched key and the parts that its stars matched. */
export interface Matched {
  readonly key: string;
  readonly parts: readonly string[];
}

/**
 * Matches keys against a pattern with stars. Each star matches at least one character and as few as possible, without
 * backtracking, which would take exponential time for some patterns in a regular expression.
 */
export function starMatcher(pattern: string): (key: string) => Matched | undefined {
  if (pattern === "*") return (key) => ({ key, parts: [key] });
  const texts = pattern.split("*");
  const [head = "", tail = ""] = [texts[0], texts.at(-1)];
  return (key) => {
    if (!key.startsWith(head) || !key.endsWith(tail)) return undefined;
    const parts: string[] = [];
    let at = head.length;
    for (const text of texts.slice(1, -1)) {
      const found = key.indexOf(text, at + 1);
      if (found < 0) return undefined;
      parts.push(key.slice(at, found));
      at = found + text.length;
    }
    const end = key.length - tail.length;
    if (end < at + 1) return undefined;
    return { key, parts: [...parts, key.slice(at, end)] };
  };
}

/** Sorts more specific patterns first: fewer stars, then more other characters. */
export function bySpecificity(a: string, b: string): number {
  const stars = (text: string) => text.split("*").length;
  if (a === "*" || b === "*") return a === b ? 0 : a === "*" ? 1 : -1;
  return stars(a) - stars(b) || b.length - a.length;
}
