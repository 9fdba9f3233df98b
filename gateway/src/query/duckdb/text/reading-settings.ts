import type { ColumnType } from "@fairway/contract/columns";
import type {
  DateOrder,
  DecimalMark,
  ReadingChoices,
  ReadingHints,
  ReadingState,
  StoredReading,
  TextEncoding,
} from "@fairway/contract/readings";
import { defaultMissingWords } from "./evidence.ts";
import { type Century, centuries } from "./time-forms.ts";

/** What is decided of a column before its values are looked at. */
export interface ColumnSetting {
  readonly type?: ColumnType | null | undefined;
  readonly format?: string | null | undefined;
  readonly zone?: string | null | undefined;
  readonly missingWords?: readonly string[] | null | undefined;
  readonly day?: boolean | undefined;
  readonly unit?: string | null | undefined;
  readonly exact?: { readonly digits: number; readonly scale: number } | undefined;
  /** Set if it comes from a stored reading. */
  readonly state?: ReadingState;
}

/** The stored reading of a source with the choices of a call, or the rules where neither says anything. */
export interface ReadingSettings {
  readonly encoding: TextEncoding | null;
  readonly delimiter: string | null;
  readonly quote: string | null;
  readonly headerLine: number | null;
  readonly skipLines: number | null;
  readonly path: string | null;
  readonly dateOrder: DateOrder | null;
  readonly decimalMark: DecimalMark | null;
  readonly zone: string;
  readonly missingWords: readonly string[];
  readonly columns: ReadonlyMap<string, ColumnSetting>;
  /** Columns for which the caller has made a choice in this call. */
  readonly chosenColumns: ReadonlySet<string>;
  readonly answers: ReadonlyMap<string, string>;
  readonly century: Century;
  readonly hints: ReadingHints;
}

interface Parts {
  readonly reading?: StoredReading | undefined;
  readonly choices?: ReadingChoices | undefined;
  readonly hints?: ReadingHints | undefined;
}

/** Choices that are null take back what is stored. */
export function settingsOf({ reading, choices = {}, hints = {} }: Parts): ReadingSettings {
  const chosen = <Key extends "encoding" | "delimiter" | "quote" | "headerLine" | "skipLines" | "path" | "dateOrder" | "decimalMark">(
    key: Key,
  ) => (choices[key] === undefined ? reading?.[key] : choices[key]) ?? null;
  const answers = new Map(Object.entries(reading?.answers ?? {}));
  for (const [question, option] of Object.entries(choices.answers ?? {})) {
    if (option === null) answers.delete(question);
    else answers.set(question, option);
  }
  const columns = new Map<string, ColumnSetting>(reading?.columns.map(({ name, ...column }) => [name, column]));
  const chosenColumns = Object.entries(choices.columns ?? {});
  for (const [name, choice] of chosenColumns) {
    if (choice === null) columns.delete(name);
    // What the file says of another type is no longer true.
    else columns.set(name, choice);
  }
  const isOrder = (text: string | undefined): text is DateOrder => text === "day-first" || text === "month-first";
  const isMark = (text: string | undefined): text is DecimalMark => text === "." || text === ",";
  const [order, mark, century] = [answers.get("dateOrder"), answers.get("decimalMark"), answers.get("twoDigitYears")];
  return {
    encoding: chosen("encoding") ?? (answers.get("encoding") as TextEncoding | undefined) ?? null,
    delimiter: chosen("delimiter"),
    quote: chosen("quote"),
    headerLine: chosen("headerLine"),
    skipLines: chosen("skipLines"),
    path: chosen("path"),
    dateOrder: chosen("dateOrder") ?? (isOrder(order) ? order : null),
    decimalMark: chosen("decimalMark") ?? (isMark(mark) ? mark : null),
    zone: (choices.zone === undefined ? reading?.zone : choices.zone) ?? "UTC",
    missingWords: ((choices.missingWords === undefined ? reading?.missingWords : choices.missingWords) ?? defaultMissingWords).map((word) =>
      word.trim().toLowerCase(),
    ),
    columns,
    chosenColumns: new Set(chosenColumns.flatMap(([name, choice]) => (choice === null ? [] : [name]))),
    answers,
    century: centuries.find((one) => one === century) ?? "1970-2069",
    hints,
  };
}
