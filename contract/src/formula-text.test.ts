import { expect, it } from "vitest";
import { guardedText } from "./formula-text.ts";

it.each(["=1+1", "+1", "-1", "@SUM(A1)", "|calc", "\t1", "\r", "\n=1", "\uff1d1+1", "\uff0b1", "\uff0d1", "\uff20SUM(A1)"])(
  "text that a spreadsheet may run gets an apostrophe in front, whatever hides its beginning: %j",
  (text) => {
    expect(guardedText(text)).toBe(`'${text}`);
    const hidden = text.trim() === "" || text.startsWith("\t") ? "=1" : text;
    for (const before of [" ", "  ", '"', "'", "\u201c", "\u00a0", "\u200b", "\u2028", "\u3000", "\ufeff", "\ufeff \"'"]) {
      expect(guardedText(before + hidden)).toBe(`'${before}${hidden}`);
    }
  },
);

it.each(["", "plain", "a=1", "1+1", "3-4", "a@b.example", " a", '"a"', "'a'", "é=1", "_=", "(=1)", "100 %", "🐦=1"])(
  "other text stays as it is: %j",
  (text) => {
    expect(guardedText(text)).toBe(text);
  },
);
