const collator = new Intl.Collator("en-US", { numeric: true, sensitivity: "base" });

/** Every sign of ASCII that has an order of its own, in that order; then digits, then letters. */
const signs = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";
const [digitBase, letterBase] = [64, 96];

/**
 * By name, numbers by their size and whatever the case, then by id. Comparing as people do takes seconds for a hundred
 * thousand names: those of plain letters, digits and signs are spelled so that comparing characters does the same.
 */
export function sortedByName<Named extends { readonly name: string; readonly id: string }>(items: readonly Named[]): Named[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item.name) }));
  if (keyed.some(({ key }) => key === null)) {
    return items.toSorted((one, other) => collator.compare(one.name, other.name) || collator.compare(one.id, other.id));
  }
  const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
  keyed.sort((one, other) => compare(one.key ?? "", other.key ?? "") || collator.compare(one.item.id, other.item.id));
  return keyed.map(({ item }) => item);
}

/** Null for what only a collator compares. */
function keyOf(name: string): string | null {
  let key = "";
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    if (isDigit(code)) {
      const first = at;
      while (isDigit(name.charCodeAt(at + 1))) at++;
      const digits = name.slice(first, at + 1).replace(/^0+(?=\d)/, "");
      // The longer number is the larger one.
      if (digits.length > 25) return null;
      key += String.fromCharCode(digitBase + digits.length) + digits;
      continue;
    }
    const letter = code | 32;
    if (letter >= 97 && letter <= 122 && code >= 65) key += String.fromCharCode(letterBase + letter - 96);
    else {
      const sign = signs.indexOf(name.charAt(at));
      if (sign < 0) return null;
      key += String.fromCharCode(1 + sign);
    }
  }
  return key;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
