import { expect, it } from "vitest";
import { escapeFormula } from "./formula-text.ts";

it.each(["=1+1", "+1", "-1", "@SUM(A1)", "|calc", "\t1", "\r", "\n=1", "\uff1d1+1", "\uff0b1", "\uff0d1", "\uff20SUM(A1)"])(
  "prefixes text that a spreadsheet may run with an apostrophe, even after hidden characters: %j",
  (text) => {
    expect(escapeFormula(text)).toBe(`'${text}`);
    const hidden = text.trim() === "" || text.startsWith("\t") ? "=1" : text;
    for (const prefix of [" ", "  ", '"', "'", "\u201c", "\u00a0", "\u200b", "\u2028", "\u3000", "\ufeff", "\ufeff \"'"]) {
      expect(escapeFormula(prefix + hidden)).toBe(`'${prefix}${hidden}`);
    }
  },
);

it.each(["", "plain", "a=1", "1+1", "3-4", "a@b.example", " a", '"a"', "'a'", "é=1", "_=", "(=1)", "100 %", "🐦=1"])(
  "leaves other text unchanged: %j",
  (text) => {
    expect(escapeFormula(text)).toBe(text);
  },
);
