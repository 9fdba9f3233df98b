import { maxBuiltText, maxPaddedText } from "../limits.ts";
import { timeText } from "./times.ts";
import { asDecimal, asInteger, asText, type Computed, type Value } from "./value.ts";

const points = (text: Value | undefined): readonly string[] => Array.from(asText(text));
const joined = (characters: readonly string[]): string => characters.join("");

/** A text, or none if it is longer than functions may build. */
const built = (text: string): string | null => (text.length <= maxBuiltText || Array.from(text).length <= maxBuiltText ? text : null);

/** A count of characters: at most all, and 0 for what is negative. */
const counted = (count: Value | undefined): number => Math.max(0, Math.min(Number(asInteger(count)), Number.MAX_SAFE_INTEGER));

const part: Computed = ([text, from, count]) => {
  const [first, characters] = [asInteger(from), points(text)];
  const end = first + (asInteger(count) > 0n ? asInteger(count) : 0n);
  const start = first < 1n ? 1n : first;
  return end <= start ? "" : joined(characters.slice(Number(start) - 1, Number(end) - 1));
};

/** Measured before it is built: replacing again and again grows without bounds. */
const replace: Computed = ([text, find, by]) => {
  const [whole, found, put] = [asText(text), asText(find), asText(by)];
  if (found === "") return whole;
  const pieces = whole.split(found);
  const length = points(whole).length + (pieces.length - 1) * (points(put).length - points(found).length);
  return length > maxBuiltText ? null : pieces.join(put);
};

/** Without a separator in it, a text is its own first part. */
const splitPart: Computed = ([text, separator, number]) => {
  const parts = separator === "" ? [asText(text)] : asText(text).split(asText(separator));
  const index = asInteger(number);
  return index < 1n || index > BigInt(parts.length) ? null : (parts[Number(index) - 1] ?? null);
};

const padLeft: Computed = ([text, length, fill]) => {
  const [characters, filling, target] = [points(text), points(fill), asInteger(length)];
  if (target > BigInt(maxPaddedText)) return null;
  const missing = Number(target) - characters.length;
  if (missing <= 0 || filling.length === 0) return asText(text);
  return joined([...Array.from({ length: missing }, (_, at) => filling[at % filling.length] ?? ""), ...characters]);
};

/** Takes away blanks at both ends: space, tab, line feed, carriage return, and the space that does not break. */
const trimmed = (text: string): string => {
  let [from, to] = [0, text.length];
  while (from < to && isBlank(text[from])) from += 1;
  while (to > from && isBlank(text[to - 1])) to -= 1;
  return text.slice(from, to);
};
const isBlank = (character = ""): boolean => [" ", "\t", "\n", "\r", "\u00a0"].includes(character);

/** A decimal in the fewest digits that read as the same number; whole numbers have no point, and only very large and small ones an exponent. */
export function numberText(value: number): string {
  return Object.is(value, -0) ? "0" : String(value);
}

const text: Computed = ([value], { args: [arg] }) => {
  if (arg?.type === "time") return timeText(asDecimal(value), arg.day);
  return typeof value === "number" ? numberText(value) : String(value);
};

export const textFunctions = {
  "||": ([a, b]) => built(asText(a) + asText(b)),
  concat: (args) => built(args.filter((one) => one !== null).join("")),
  length: ([value]) => BigInt(points(value).length),
  lower: ([value]) => asText(value).toLowerCase(),
  upper: ([value]) => asText(value).toUpperCase(),
  trim: ([value]) => trimmed(asText(value)),
  left: ([value, count]) => joined(points(value).slice(0, counted(count))),
  right: ([value, count]) => (counted(count) === 0 ? "" : joined(points(value).slice(-counted(count)))),
  part,
  replace,
  contains: ([value, find]) => asText(value).includes(asText(find)),
  starts_with: ([value, start]) => asText(value).startsWith(asText(start)),
  ends_with: ([value, end]) => asText(value).endsWith(asText(end)),
  split_part: splitPart,
  pad_left: padLeft,
  text,
} satisfies Readonly<Record<string, Computed>>;
