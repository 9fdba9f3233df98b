const collator = new Intl.Collator("en-US", { numeric: true, sensitivity: "base" });

/** Every ASCII punctuation character in collation order; digits and letters follow. */
const punctuation = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";
const [digitBase, letterBase] = [64, 96];

/**
 * Sorts by name (numerically, ignoring case), then by id. A collator takes seconds for a hundred thousand names, so
 * names of plain ASCII are mapped to keys that compare the same way character by character.
 */
export function sortedByName<Named extends { readonly name: string; readonly id: string }>(items: readonly Named[]): Named[] {
  const keyed = items.map((item) => ({ item, key: sortKey(item.name) }));
  if (keyed.some(({ key }) => key === null)) {
    return items.toSorted((a, b) => collator.compare(a.name, b.name) || collator.compare(a.id, b.id));
  }
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  keyed.sort((a, b) => compare(a.key ?? "", b.key ?? "") || collator.compare(a.item.id, b.item.id));
  return keyed.map(({ item }) => item);
}

/** Null if only a collator can compare the name. */
function sortKey(name: string): string | null {
  let key = "";
  for (let index = 0; index < name.length; index++) {
    const code = name.charCodeAt(index);
    if (isDigit(code)) {
      const first = index;
      while (isDigit(name.charCodeAt(index + 1))) index++;
      const digits = name.slice(first, index + 1).replace(/^0+(?=\d)/, "");
      // A longer number is larger.
      if (digits.length > 25) return null;
      key += String.fromCharCode(digitBase + digits.length) + digits;
      continue;
    }
    const letter = code | 32;
    if (letter >= 97 && letter <= 122 && code >= 65) key += String.fromCharCode(letterBase + letter - 96);
    else {
      const order = punctuation.indexOf(name.charAt(index));
      if (order < 0) return null;
      key += String.fromCharCode(1 + order);
    }
  }
  return key;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
