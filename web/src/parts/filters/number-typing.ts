/**
 * Whether a character may be typed into a number field after `before`. Only letters are refused, as a browser's own number
 * field does, except the `e` of an exponent. Everything else is kept and reported as a problem where it makes no number:
 * dropping the point of "64.5" would silently search for 645.
 */
export const mayType = (character: string, before: string): boolean =>
  !/\p{L}/u.test(character) || (/^e$/i.test(character) && /[\d.]$/.test(before));
