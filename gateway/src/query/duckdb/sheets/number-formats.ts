/** The kind of value that a number format makes of a number. */
export type NumberFormat =
  | { readonly kind: "general" }
  | { readonly kind: "percent" }
  | { readonly kind: "date"; readonly hasDay: boolean; readonly hasClock: boolean; readonly hasSeconds: boolean }
  /** Hours, minutes or seconds that go on beyond their usual end: `[h]:mm`. */
  | { readonly kind: "duration"; readonly unit: "h" | "m" | "s"; readonly hasSeconds: boolean }
  /** Digits between other characters, from the left; `null` stands for a digit. */
  | { readonly kind: "zeros"; readonly pattern: readonly (string | null)[] };

export const general: NumberFormat = { kind: "general" };

/** Formats that workbooks do not define, by their numbers. Those of 27 to 36 and 50 to 58 are dates of East Asian editions. */
const builtIn: ReadonlyMap<number, string> = new Map([
  [9, "0%"],
  [10, "0.00%"],
  [14, "yyyy-mm-dd"],
  [15, "d-mmm-yy"],
  [16, "d-mmm"],
  [17, "mmm-yy"],
  [18, "h:mm AM/PM"],
  [19, "h:mm:ss AM/PM"],
  [20, "h:mm"],
  [21, "h:mm:ss"],
  [22, "m/d/yy h:mm"],
  ...Array.from({ length: 10 }, (_, index): [number, string] => [27 + index, index === 5 || index === 6 ? "h:mm:ss" : "yyyy-mm-dd"]),
  [45, "mm:ss"],
  [46, "[h]:mm:ss"],
  [47, "mm:ss.0"],
  ...Array.from({ length: 9 }, (_, index): [number, string] => [50 + index, "yyyy-mm-dd"]),
]);

export function numberFormat(id: number, codes: ReadonlyMap<number, string>): NumberFormat {
  const code = codes.get(id) ?? builtIn.get(id);
  return code === undefined ? general : formatOfCode(code);
}

/** The first section of the code decides: others are for negative numbers, zero and texts. */
export function formatOfCode(code: string): NumberFormat {
  const tokens = tokensOf(code);
  const elapsed = tokens.find(({ text }) => /^\[(?:h+|m+|s+)\]$/i.test(text))?.text.toLowerCase();
  const letters = tokens.flatMap(({ text, isLiteral }) => (isLiteral || text.startsWith("[") ? [] : [text])).join("");
  const hasSeconds = /s/i.test(letters) || elapsed?.includes("s") === true;
  if (elapsed !== undefined) return { kind: "duration", unit: elapsed.includes("h") ? "h" : elapsed.includes("m") ? "m" : "s", hasSeconds };
  if (/^general/i.test(letters.trim())) return general;
  if (/[dyhsm]/i.test(letters)) {
    const hasClock = /[hs]|am\/pm|a\/p/i.test(letters);
    return { kind: "date", hasDay: /[dy]/i.test(letters) || !hasClock, hasClock, hasSeconds };
  }
  if (letters.includes("%")) return { kind: "percent" };
  const isZeros = /^0{2,}$/.test(letters.replaceAll(/[-/ ()]/g, "")) && !/^0[^0]/.test(letters);
  if (!isZeros) return general;
  return {
    kind: "zeros",
    pattern: tokens.flatMap(({ text, isLiteral }) => (text.startsWith("[") ? [] : [!isLiteral && text === "0" ? null : text])),
  };
}

interface Token {
  readonly text: string;
  readonly isLiteral: boolean;
}

/** Characters, literal texts and parts in brackets of the first section. */
function tokensOf(code: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < code.length; at += 1) {
    const letter = code[at] ?? "";
    if (letter === ";") break;
    if (letter === '"' || letter === "[") {
      const end = code.indexOf(letter === '"' ? '"' : "]", at + 1);
      const last = end === -1 ? code.length : end;
      tokens.push(
        letter === '"' ? { text: code.slice(at + 1, last), isLiteral: true } : { text: code.slice(at, last + 1), isLiteral: false },
      );
      at = last;
    } else if (letter === "\\") {
      at += 1;
      tokens.push({ text: code[at] ?? "", isLiteral: true });
    } else if (letter === "_" || letter === "*") at += 1;
    else tokens.push({ text: letter, isLiteral: false });
  }
  return tokens;
}
