import type { Operator } from "@fairway/contract/columns";
import { type FilterType, isTimeType } from "./filter-value.ts";

interface TypedValue {
  readonly name: string;
  readonly operator: Operator;
  readonly type: FilterType;
  /** As typed, without quotes. */
  readonly text: string;
}

const orWord = /\sor\s+/gi;
const maxNamedParts = 3;
const notJoined = `Filters can't be joined with "or": all of them apply. Type one of them`;

/** For alternatives after a value in quotes. */
export const alternativesHint = `${notJoined}.`;

/**
 * Advice for a value that reads like several: a list such as `ATL, ORD`, or alternatives such as `ATL or ORD`. Undefined for a single
 * value. A filter has one value, and searching for the whole text would find something else without a word.
 */
export function severalValuesHint(value: TypedValue, beginsCondition: (text: string) => boolean): string | undefined {
  const { name, operator, type, text } = value;
  const quoted = `${name} ${operator} ${inQuotes(text)}`;
  const itself = type === "STRING" ? `, or ${quoted} for that text` : "";
  const rests = Array.from(text.matchAll(orWord), ({ 0: word, index }) => text.slice(index + word.length));
  if (rests.some(beginsCondition)) {
    return `${notJoined}${itself}.`;
  }
  if (rests.length > 0) return `A filter has one value, without "or". Type one of them${itself}.`;
  if (!isList(text, type)) return undefined;
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return `A filter has one value, not a list. ${listAdvice(name, operator, parts)}${itself}.`;
}

/** The same for a list of texts in quotes. */
export const quotedListHint = (name: string, operator: Operator, values: readonly string[]): string =>
  `A filter has one value, not a list. ${listAdvice(name, operator, values)}.`;

const listAdvice = (name: string, operator: Operator, values: readonly string[]): string =>
  operator === "<>" && values.length <= maxNamedParts
    ? `Type ${values.map((value) => `${name} <> ${quoteIfNeeded(value)}`).join(" and ")}`
    : "Type one of them";

/** Times and decimals contain commas of their own. */
function isList(text: string, type: FilterType): boolean {
  if (isTimeType(type)) return false;
  return type === "STRING" ? /,/.test(text) : /,\s|,.*,/.test(text);
}

const inQuotes = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** In quotes where the plain text would be read as something else. */
export const quoteIfNeeded = (text: string): string => (/^["']|^\s|\s$|,|\s(?:and|or)\s/i.test(text) ? inQuotes(text) : text);
