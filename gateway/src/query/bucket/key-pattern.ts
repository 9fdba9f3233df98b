/**
 * Whether a key matches a pattern, by the rules that DuckDB applies to paths: `*` and `?` stand for characters of one segment, `[…]`
 * for one of several, and the segment `**` for any number of segments. Takes no more steps than pattern times key are long.
 */
export function keyMatcher(pattern: string): (key: string) => boolean {
  const segments = pattern.split("/").map((segment) => (segment === "**" ? "**" : tokensOf(segment)));
  return (key) => {
    const parts = key.split("/");
    return wildcardMatch(
      segments.length,
      parts.length,
      (index) => segments[index] === "**",
      (index, at) => {
        const segment = segments[index];
        return segment !== undefined && segment !== "**" && matchesSegment(segment, parts[at] ?? "");
      },
    );
  };
}

type Token = "*" | ((character: string) => boolean);

function matchesSegment(tokens: readonly Token[], text: string): boolean {
  const characters = Array.from(text);
  return wildcardMatch(
    tokens.length,
    characters.length,
    (index) => tokens[index] === "*",
    (index, at) => {
      const token = tokens[index];
      return token !== undefined && token !== "*" && token(characters[at] ?? "");
    },
  );
}

/** Only the last wildcard has to be widened when a later element does not match, which keeps the number of steps small. */
function wildcardMatch(
  patternLength: number,
  length: number,
  isWildcard: (index: number) => boolean,
  matches: (index: number, at: number) => boolean,
): boolean {
  let [index, at, wildcard, widenedTo] = [0, 0, -1, 0];
  while (at < length) {
    if (index < patternLength && isWildcard(index)) {
      [wildcard, widenedTo] = [index, at];
      index += 1;
    } else if (index < patternLength && matches(index, at)) {
      index += 1;
      at += 1;
    } else if (wildcard >= 0) {
      widenedTo += 1;
      [index, at] = [wildcard + 1, widenedTo];
    } else return false;
  }
  while (index < patternLength && isWildcard(index)) index += 1;
  return index === patternLength;
}

function tokensOf(segment: string): Token[] {
  const tokens: Token[] = [];
  const characters = Array.from(segment);
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? "";
    const end = character === "[" ? characters.indexOf("]", at + 2) : -1;
    if (character === "*") tokens.push("*");
    else if (character === "?") tokens.push(() => true);
    else if (end > 0) {
      tokens.push(setOf(characters.slice(at + 1, end)));
      at = end;
    } else tokens.push((one) => one === character);
  }
  return tokens;
}

function setOf(inside: readonly string[]): (character: string) => boolean {
  const isNegated = inside[0] === "!" && inside.length > 1;
  const members = isNegated ? inside.slice(1) : inside;
  const tests: ((character: string) => boolean)[] = [];
  for (let at = 0; at < members.length; at += 1) {
    const [from = "", dash, to] = members.slice(at, at + 3);
    if (dash === "-" && to !== undefined) {
      tests.push((one) => one >= from && one <= to);
      at += 2;
    } else tests.push((one) => one === from);
  }
  return (one) => tests.some((test) => test(one)) !== isNegated;
}
