import { z } from "zod";
import { columnType } from "./columns.ts";
import { recordOf } from "./records.ts";
import { zoneName } from "./time-zones.ts";

/** `sure`: no other reading fits. `assumed`: a rule chose. `mixed`: some values do not fit. */
export const readingState = z.enum(["sure", "assumed", "mixed"]);
export type ReadingState = z.infer<typeof readingState>;

export const dateOrder = z.enum(["day-first", "month-first"]);
export type DateOrder = z.infer<typeof dateOrder>;
export const decimalMark = z.enum([".", ","]);
export type DecimalMark = z.infer<typeof decimalMark>;

/** Encodings that can be chosen, as WHATWG labels, and pages of DOS. */
export const textEncodings = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1252",
  "windows-1250",
  "windows-1251",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-1257",
  "windows-1258",
  "windows-874",
  "iso-8859-2",
  "iso-8859-3",
  "iso-8859-4",
  "iso-8859-5",
  "iso-8859-6",
  "iso-8859-7",
  "iso-8859-8",
  "iso-8859-10",
  "iso-8859-13",
  "iso-8859-14",
  "iso-8859-15",
  "koi8-r",
  "koi8-u",
  "macintosh",
  "x-mac-cyrillic",
  "ibm866",
  "ibm437",
  "ibm850",
  "ibm852",
  "gb18030",
  "gbk",
  "big5",
  "shift_jis",
  "euc-jp",
  "iso-2022-jp",
  "euc-kr",
] as const;
export const textEncoding = z.enum(textEncodings);
export type TextEncoding = z.infer<typeof textEncoding>;

/** Values or lines that cannot be read: their number, and the first five with their text. */
const unreadable = z.object({
  count: z.int(),
  /** `line` counts from 1; null where the file has no lines of rows, such as a JSON document. `file` is set if there are several. */
  first: z.array(z.object({ file: z.string().optional(), line: z.int().nullable(), text: z.string(), reason: z.string().optional() })),
});
export type Unreadable = z.infer<typeof unreadable>;

/** Another reading that fits the values of a column, or does so with a loss. */
const alternative = z.object({
  type: columnType,
  format: z.string().nullable(),
  /** In words: `text`, `day first`. */
  label: z.string(),
  /** How many values could not be read then. */
  unreadable: z.int(),
});

/** How the values of a column are read. */
const columnReading = z.object({
  /** The name as it is in the file. */
  header: z.string(),
  name: z.string(),
  type: columnType,
  /**
   * How values are written: the decimal mark (`.` or `,`) of numbers, the form of times (`ISO`, `D.M.Y`, `M/D/Y`, `D/M/y`, `epoch-seconds` …),
   * the words of booleans (`true/false`, `yes/no` …). Null if there is nothing to say.
   */
  format: z.string().nullable(),
  /** Whether values are whole days, without a clock. */
  day: z.boolean(),
  /** The sign that all numbers carry, such as % or $. */
  unit: z.string().nullable(),
  /** The zone of times without an offset; null for other columns. */
  zone: z.string().nullable(),
  /** Its own words for no value; null or omitted: those of the reading. */
  missingWords: z.array(z.string()).nullish(),
  /** Values that are neither empty nor a word for a missing value. */
  filled: z.int(),
  empty: z.int(),
  unreadable,
  state: readingState,
  /** The interpretation and the reason for it. */
  sentence: z.string(),
  /** How it is read, in words: `date, day first (05/03/2024 is March 5)`. */
  label: z.string().optional(),
  also: z.array(alternative),
});
export type ColumnReading = z.infer<typeof columnReading>;

/** How one file is read. */
const fileReading = z.object({
  /** The file's name. */
  file: z.string(),
  format: z.enum(["csv", "json", "xlsx"]),
  encoding: textEncoding,
  encodingState: readingState,
  /** Of CSV files; null of JSON. */
  delimiter: z.string().nullable(),
  quote: z.string().nullable(),
  /** The line of the column names, from 1; null without one, and of JSON. */
  headerLine: z.int().nullable(),
  /** Lines above the header, or above the data, that are no data. */
  skipLines: z.int(),
  /** Path of the rows in a JSON file: empty for lines, an array or one object; otherwise keys joined by dots, as in `result.records`. */
  path: z.string().nullable(),
  /** Other paths in a JSON file where rows may be. */
  paths: z.array(z.object({ path: z.string(), rows: z.int() })),
  /** The sheet of a workbook that is read; omitted of other files. Its lines are the rows of the sheet. */
  sheet: z.string().optional(),
  /** All sheets of the workbook, visible ones first. `isAlike`: it has the same column names as the one that is read. */
  sheets: z.array(z.object({ name: z.string(), isHidden: z.boolean(), isAlike: z.boolean().optional() })).optional(),
  rows: z.int(),
  /** The row up to which a large file was checked; null if all of it was. */
  checkedRows: z.int().nullable(),
  unreadable,
  /** Further remarks on the file. */
  sentences: z.array(z.string()),
});
export type FileReading = z.infer<typeof fileReading>;

/** A decision that changes values and that nothing in the data proves. */
const question = z.object({
  /**
   * The key in `answers`: `dateOrder`, `decimalMark`, `encoding`, `twoDigitYears`, `swappedPlaces`, `missing:` and a column's name, or
   * `entry:` and the number of an archive in an import, whose options are names of its files.
   */
  question: z.string(),
  /** Columns that it concerns. */
  columns: z.array(z.string()),
  sentence: z.string(),
  options: z.array(
    z.object({
      /** Value to send as the answer: `day-first`, `.`, an encoding's label, `keep`, `empty` … */
      option: z.string(),
      label: z.string(),
      /** Some values of the data, as they would be read. */
      examples: z.array(z.object({ text: z.string(), becomes: z.string() })),
    }),
  ),
  /** The option that applies now. */
  taken: z.string(),
  /** Whether the caller has chosen it. */
  isAnswered: z.boolean(),
});
export type ReadingQuestion = z.infer<typeof question>;

/** How text files are read. */
export const reading = z
  .object({
    /** The first 20. */
    files: z.array(fileReading),
    /** Files in all. */
    fileCount: z.int(),
    rows: z.int(),
    /** Null if no column has dates whose order could be mistaken. */
    dateOrder: dateOrder.nullable(),
    /** Null if no column has numbers with marks. */
    decimalMark: decimalMark.nullable(),
    /** The zone of times without an offset. */
    zone: z.string(),
    /** Words that are no value in numbers, times and booleans, in small letters. */
    missingWords: z.array(z.string()).optional(),
    columns: z.array(columnReading),
    questions: z.array(question),
    /** The row up to which the data were checked; null if all were. */
    checkedRows: z.int().nullable(),
    /** Further remarks. */
    sentences: z.array(z.string()),
  })
  .meta({ id: "Reading" });
export type Reading = z.infer<typeof reading>;

const missingWords = z.array(z.string().max(100)).max(100);

/** Settings of a source as a whole. Null or omitted: the rules find them for each file. */
const settings = z.object({
  encoding: textEncoding.nullish(),
  delimiter: z.string().min(1).max(1).nullish(),
  quote: z.enum(['"', "'"]).nullish(),
  /** 0 = there is no header. */
  headerLine: z.int().min(0).max(1_000).nullish(),
  /** Lines at the start that are no data. */
  skipLines: z.int().min(0).max(1_000).nullish(),
  path: z.string().max(1_000).nullish(),
  /** The name of a sheet of a workbook. Without it, the first visible one with rows. */
  sheet: z.string().max(100).nullish(),
  /** Sheets of a workbook with the same column names, which are read as one, instead of `sheet`. */
  sheets: z.array(z.string().max(100)).min(1).max(200).nullish(),
  dateOrder: dateOrder.nullish(),
  decimalMark: decimalMark.nullish(),
  zone: zoneName.nullish(),
  missingWords: missingWords.nullish(),
});

/** Fields that are questions, too: both are one decision. */
export const askedFields = ["dateOrder", "decimalMark", "encoding"] as const;

/** Choices of a caller that override the rules. Null or omitted: the rules decide. */
export const readingChoices = z
  .object({
    ...settings.shape,
    columns: recordOf(
      z.string().max(1_000),
      z
        .object({
          type: columnType.nullish(),
          /** One of the column's `also`. */
          format: z.string().max(100).nullish(),
          zone: zoneName.nullish(),
          missingWords: missingWords.nullish(),
        })
        .nullable(),
    ).nullish(),
    /** Options by question. */
    answers: recordOf(z.string().max(1_100), z.string().max(100).nullable()).nullish(),
  })
  .meta({ id: "ReadingChoices" });
export type ReadingChoices = z.infer<typeof readingChoices>;

/** Defaults suggested by the caller's browser, used where nothing else decides. */
export const readingHints = z.object({ dateOrder: dateOrder.nullish(), zone: zoneName.nullish() }).meta({ id: "ReadingHints" });
export type ReadingHints = z.infer<typeof readingHints>;

/** How a column is read, as it is stored. */
const storedColumn = z.object({
  name: z.string().max(1_000),
  type: columnType,
  format: z.string().max(100).nullish(),
  day: z.boolean().optional(),
  unit: z.string().max(10).nullish(),
  zone: zoneName.nullish(),
  missingWords: missingWords.nullish(),
  /** Numbers that a double does not hold: kept as decimals of so many digits. */
  exact: z.object({ digits: z.int().min(1).max(38), scale: z.int().min(0).max(38) }).optional(),
  /** Of a column that no file has: it is a part of the positions in another column, as in `52.5, 13.4` or `POINT (13.4 52.5)`. */
  derived: z.object({ column: z.string().max(1_000), part: z.enum(["latitude", "longitude"]) }).optional(),
  state: readingState,
  /** Whether a person chose this for the column alone: then no choice for the whole source changes it. */
  chosen: z.boolean().optional(),
});

/**
 * A reading as a dataset stores it, so that later files are read in the same way. What is omitted is found out for each file. What is
 * stored of a column applies to it; `dateOrder` and `decimalMark` apply to columns of which nothing is stored. `answers` hold what a
 * person has answered or confirmed.
 */
export const storedReading = z.object({
  ...settings.shape,
  columns: z.array(storedColumn).max(1_000),
  answers: recordOf(z.string().max(1_100), z.string().max(100)).optional(),
});
export type StoredReading = z.infer<typeof storedReading>;

/** How the preview of a text file decodes it, as a dataset of it would. */
export const previewReading = z
  .object({
    encoding: textEncoding,
    encodingState: readingState,
    /** A remark on the encoding; null if there is none. */
    sentence: z.string().nullable(),
    /** Null of files other than CSV. */
    delimiter: z.string().nullable(),
    quote: z.string().nullable(),
    headerLine: z.int().nullable(),
    skipLines: z.int(),
  })
  .meta({ id: "PreviewReading" });
export type PreviewReading = z.infer<typeof previewReading>;
