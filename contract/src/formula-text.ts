/**
 * Text that a spreadsheet may run as a formula: after spaces, quotes and marks that nobody sees, one of the characters `=`,
 * `+`, `-`, `@` and `|`, or the wide forms of the first four that East Asian keyboards have; or a tab or line break in
 * front. Only what JavaScript and RE2 both read (apart from how they write code points), so that DuckDB can use it, too.
 */
export const formulaText =
  /^[\t\n\v\f\r "'`\u00a0\u1680\u180e\u2000-\u200f\u2018\u2019\u201c\u201d\u2028-\u202f\u205f-\u2064\u3000\ufeff]*[=+\-@|\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/** An apostrophe in front makes it text for every spreadsheet. Numbers are not to be given here: they stay numbers. */
export const guardedText = (text: string): string => (formulaText.test(text) ? `'${text}` : text);
