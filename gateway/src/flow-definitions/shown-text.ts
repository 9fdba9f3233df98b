/**
 * Control characters except line breaks and tabs, marks that change the reading direction, and characters without any width, except
 * those that join letters, or make an emoji of a sign.
 */
const unseen = /(?!\p{Join_Control}|\ufe0f)[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cs}\u2800]|[^\P{Cc}\n\t]/gu;

/** Text of a flow in which two different texts do not look the same, and which cannot reorder a sentence around it. */
const visible = (text: string): string => text.replaceAll(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

/** At most `max` characters of a text, all of them visible. */
export function cut(text: string, max: number): string {
  const seen = visible(begin(text, max));
  return text.length <= max && seen.length <= max ? seen : `${begin(seen, max - 1)}…`;
}

/** Never ends between the halves of a surrogate pair. */
function begin(text: string, max: number): string {
  if (text.length <= max) return text;
  return /[\ud800-\udbff]/.test(text.charAt(max - 1)) ? text.slice(0, max - 1) : text.slice(0, max);
}

/** Two different texts, cut to where they begin to differ. */
export function cutBoth(before: string, after: string, max: number): [before: string, after: string] {
  let same = 0;
  if (before.length > max || after.length > max) {
    while (same < before.length && before.charCodeAt(same) === after.charCodeAt(same)) same += 1;
  }
  const start = Math.max(0, same - Math.floor(max / 4));
  const from = (text: string) => (start === 0 ? cut(text, max) : `…${cut(text.slice(start), max - 1)}`);
  return [from(before), from(after)];
}

export const onOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
