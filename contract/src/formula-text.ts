/**
 * Matches text that a spreadsheet may run as a formula: optional spaces, quotes and invisible characters, then `=`, `+`, `-`,
 * `@`, `|` or the full-width forms of the first four; or a leading tab or line break. Restricted to syntax that JavaScript and
 * RE2 share (except for code point escapes), so that DuckDB can use it as well.
 */
export const formulaPattern =
  /^[\t\n\v\f\r "'`\u00a0\u1680\u180e\u2000-\u200f\u2018\u2019\u201c\u201d\u2028-\u202f\u205f-\u2064\u3000\ufeff]*[=+\-@|\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/** Prefixes formulas with an apostrophe, which makes them text in every spreadsheet. Not for numbers, which stay numbers. */
export const escapeFormula = (text: string): string => (formulaPattern.test(text) ? `'${text}` : text);
