import { formatCount, pluralize } from "@fairway/contract/counts";
import {
  type ColumnReading,
  type DateOrder,
  type FileReading,
  type Reading,
  type ReadingChoices,
  type ReadingHints,
  type TextEncoding,
  askedFields,
} from "@fairway/contract/readings";

const encodingNames: Partial<Record<TextEncoding, string>> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16 (little-endian)",
  "utf-16be": "UTF-16 (big-endian)",
  macintosh: "Mac Roman",
  "x-mac-cyrillic": "Mac Cyrillic",
  gbk: "GBK",
  big5: "Big5",
  shift_jis: "Shift JIS",
};

/** `windows-1252` is Windows-1252, `iso-8859-2` is ISO-8859-2, `ibm850` is IBM850. */
export const encodingName = (encoding: TextEncoding): string =>
  encodingNames[encoding] ?? (encoding.startsWith("windows") ? encoding.replace("w", "W") : encoding.toUpperCase());

const delimiterNames: Readonly<Record<string, string>> = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar", " ": "space" };

/** The delimiters to choose from, with that of the file. */
export function delimiterOptions(current: string): { value: string; label: string }[] {
  const known = Object.entries(delimiterNames).map(([value, label]) => ({ value, label: capitalized(label) }));
  return current in delimiterNames ? known : [...known, { value: current, label: current }];
}

export const orderNames: Readonly<Record<DateOrder, string>> = {
  "day-first": "Day first: 05/03/2024 is March 5",
  "month-first": "Month first: 05/03/2024 is May 3",
};

/** `2024-03-05` is March 5, 2024: an order of day and month is easier to see by the month's name. */
export function inWords(value: string): string {
  const found = /^([0-9]{4}-[0-9]{2}-[0-9]{2})(.*)$/.exec(value);
  if (found === null) return value;
  const [, day = "", clock = ""] = found;
  return new Date(`${day}T00:00:00Z`).toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" }) + clock;
}

/** The effect of a reading on a text of the data: `05/03/2024 is March 5, 2024`, or the text alone if it stays as it is. */
export function exampleInWords({ text, becomes }: { readonly text: string; readonly becomes: string }): string {
  if (text === becomes) return text;
  return `${text} is ${becomes === "" ? "empty" : inWords(becomes)}`;
}

/** `UTF-8, semicolon, column names in line 2, 1,200 rows`. */
export function fileLine({ format, encoding, delimiter, headerLine, path, sheet, rows, checkedRows }: FileReading): string {
  const parts = [sheet === undefined ? encodingName(encoding) : `sheet '${sheet}'`];
  if (delimiter !== null) parts.push(delimiterNames[delimiter] ?? `separated by ${delimiter}`);
  if (format === "csv") parts.push(headerLine === null ? "no column names" : `column names in line ${headerLine}`);
  if (format === "xlsx") parts.push(headerLine === null ? "no column names" : `column names in row ${headerLine}`);
  if (path !== null && path !== "") parts.push(`rows in '${path}'`);
  // Nobody has counted the rows of one of several large files.
  return [...parts, ...(checkedRows !== null && rows === 0 ? [] : [pluralize(rows, "row")])].join(", ");
}

export const openQuestions = (questions: Reading["questions"]): number => questions.filter(({ isAnswered }) => !isAnswered).length;

/** The consequence of saving a dataset with open questions. */
export const openWarning = (count: number): string =>
  count === 1
    ? "1 question is open: the dataset has a warning until it is answered."
    : `${formatCount(count)} questions are open: the dataset has a warning until they are answered.`;

/** Choices with the newest answer. A field of the same name is the same decision. */
export function withAnswer(choices: ReadingChoices, question: string, option: string): ReadingChoices {
  const fields: ReadingChoices = { ...choices };
  for (const field of askedFields) if (field === question) delete fields[field];
  return { ...fields, answers: { ...choices.answers, [question]: option } };
}

/** Choices with the newest values of fields. */
export function withFields(choices: ReadingChoices, changed: ReadingChoices): ReadingChoices {
  const isOther = ([question]: readonly [string, unknown]) => !(question in changed);
  const answers = Object.fromEntries(Object.entries(choices.answers ?? {}).filter(isOther));
  const { answers: _, ...fields } = choices;
  return { ...fields, ...changed, ...(Object.keys(answers).length === 0 ? {} : { answers }) };
}

/** Open questions and unread values, for the summary of a report, which lists unread lines itself. */
export function openLine({ questions, columns }: Reading): string | null {
  const open = openQuestions(questions);
  const unread = columns.reduce((sum, { unreadable }) => sum + unreadable.count, 0);
  const parts = [open > 0 ? pluralize(open, "open question") : "", unread > 0 ? `${pluralize(unread, "value")} not read` : ""].filter(
    (part) => part !== "",
  );
  return parts.length === 0 ? null : parts.join(", ");
}

/** Types as people know them. */
export const typeNames: Readonly<Record<ColumnReading["type"], string>> = {
  STRING: "text",
  integer: "whole number",
  decimal: "number",
  BOOLEAN: "true or false",
  TIMESTAMP_SECONDS: "time",
  TIMESTAMP_MILLS: "time with fractions",
};

/** One way to read a column, as the value of an option. */
export const wayKey = ({ type, format }: Pick<ColumnReading, "type" | "format">): string => JSON.stringify([type, format]);

export function wayOfKey(key: string): Pick<ColumnReading, "type" | "format"> {
  const [type, format] = JSON.parse(key) as [ColumnReading["type"], string | null];
  return { type, format };
}

/** UTC first, as it is not among those that the browser lists. */
export const zoneOptions = (current: string): string[] => [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), current])];

/** Suggestions of the browser's language and clock, for files that prove nothing. */
export function browserHints(): ReadingHints {
  const { locale, timeZone } = new Intl.DateTimeFormat(navigator.language).resolvedOptions();
  const order = new Intl.DateTimeFormat(locale, { dateStyle: "short" }).formatToParts(0).map(({ type }) => type);
  const isDayFirst = order.indexOf("day") < order.indexOf("month");
  return { dateOrder: isDayFirst ? "day-first" : "month-first", ...(timeZone === undefined ? {} : { zone: timeZone }) };
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
