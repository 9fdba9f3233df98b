import type { ColumnType } from "@fairway/contract/columns";
import {
  type DateOrder,
  type DecimalMark,
  type ReadingChoices,
  type ReadingHints,
  type ReadingState,
  type StoredReading,
  type TextEncoding,
  askedFields,
  textEncoding,
} from "@fairway/contract/readings";
import { defaultMissingWords } from "./evidence.ts";
import { type Century, centuries } from "./time-forms.ts";

/** A column that is derived from another one. */
export interface DerivedFrom {
  readonly column: string;
  readonly part: "latitude" | "longitude";
  readonly isOrderAssumed?: boolean;
}

/** Settings of a column that are decided before its values are looked at. */
export interface ColumnSetting {
  readonly type?: ColumnType | null | undefined;
  readonly format?: string | null | undefined;
  readonly zone?: string | null | undefined;
  readonly missingWords?: readonly string[] | null | undefined;
  readonly day?: boolean | undefined;
  readonly unit?: string | null | undefined;
  readonly exact?: { readonly digits: number; readonly scale: number } | undefined;
  readonly derived?: DerivedFrom | undefined;
  /** Set if it comes from a stored reading. */
  readonly state?: ReadingState;
  /** Whether a person chose it for this column alone. */
  readonly chosen?: boolean | undefined;
}

/** The stored reading of a source with the choices of a call, or the rules where neither says anything. */
export interface ReadingSettings {
  readonly encoding: TextEncoding | null;
  readonly delimiter: string | null;
  readonly quote: string | null;
  readonly headerLine: number | null;
  readonly skipLines: number | null;
  readonly path: string | null;
  /** Of workbooks. */
  readonly sheet: string | null;
  readonly sheets: readonly string[] | null;
  readonly dateOrder: DateOrder | null;
  readonly decimalMark: DecimalMark | null;
  readonly zone: string;
  readonly missingWords: readonly string[];
  readonly columns: ReadonlyMap<string, ColumnSetting>;
  /** Columns whose type or format a person chose one by one, in this call or before. */
  readonly chosenColumns: ReadonlySet<string>;
  /** Decisions of this call for the whole source. They replace the stored settings of the columns that they concern. */
  readonly revised: { readonly dateOrder: boolean; readonly decimalMark: boolean };
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
  const chosen = <Key extends "delimiter" | "quote" | "headerLine" | "skipLines" | "path" | "sheet" | "sheets">(key: Key) =>
    (choices[key] === undefined ? reading?.[key] : choices[key]) ?? null;
  const answers = new Map(Object.entries(reading?.answers ?? {}));
  const answer = (question: string, option: string | null) => {
    if (option === null) answers.delete(question);
    else answers.set(question, option);
  };
  for (const [question, option] of Object.entries(choices.answers ?? {})) answer(question, option);
  // A field and the question of the same name are one decision, and the newest one counts.
  for (const question of askedFields) {
    const option = choices[question];
    if (option !== undefined && choices.answers?.[question] === undefined) answer(question, option);
  }
  const asked = (question: (typeof askedFields)[number]): string | null => {
    const inCall = choices[question] === undefined ? choices.answers?.[question] : choices[question];
    return (inCall === undefined ? (reading?.[question] ?? answers.get(question)) : inCall) ?? null;
  };
  const isRevised = (question: (typeof askedFields)[number]) =>
    choices[question] !== undefined || choices.answers?.[question] !== undefined;
  const columns = new Map<string, ColumnSetting>(reading?.columns.map(({ name, ...column }) => [name, column]));
  for (const [name, choice] of Object.entries(choices.columns ?? {})) {
    const before = columns.get(name);
    if (choice === null) columns.delete(name);
    else if (choice.type === undefined && choice.format === undefined) columns.set(name, { ...before, ...choice });
    // Stored settings of another type are no longer true.
    else
      columns.set(name, {
        zone: before?.zone,
        missingWords: before?.missingWords,
        derived: before?.derived,
        ...choice,
        chosen: choice.type != null,
      });
  }
  const isOrder = (text: string | null): text is DateOrder => text === "day-first" || text === "month-first";
  const isMark = (text: string | null): text is DecimalMark => text === "." || text === ",";
  const [order, mark, century] = [asked("dateOrder"), asked("decimalMark"), answers.get("twoDigitYears")];
  return {
    encoding: textEncoding.nullable().catch(null).parse(asked("encoding")),
    delimiter: chosen("delimiter"),
    quote: chosen("quote"),
    headerLine: chosen("headerLine"),
    skipLines: chosen("skipLines"),
    path: chosen("path"),
    // The newer of both decisions counts.
    sheet: choices.sheets == null ? chosen("sheet") : null,
    sheets: choices.sheet == null ? chosen("sheets") : null,
    dateOrder: isOrder(order) ? order : null,
    decimalMark: isMark(mark) ? mark : null,
    zone: (choices.zone === undefined ? reading?.zone : choices.zone) ?? "UTC",
    missingWords: ((choices.missingWords === undefined ? reading?.missingWords : choices.missingWords) ?? defaultMissingWords).map((word) =>
      word.trim().toLowerCase(),
    ),
    columns,
    chosenColumns: new Set([...columns].flatMap(([name, { chosen: isChosen }]) => (isChosen === true ? [name] : []))),
    revised: { dateOrder: isRevised("dateOrder"), decimalMark: isRevised("decimalMark") },
    answers,
    century: centuries.find((one) => one === century) ?? "1970-2069",
    hints,
  };
}
