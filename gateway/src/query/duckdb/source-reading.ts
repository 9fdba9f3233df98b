import { formatCount, plural, pluralize } from "@fairway/contract/counts";
import { type ColumnType, isNumeric, isTimestamp } from "@fairway/contract/columns";
import type { ColumnReading, FileReading, Reading, StoredReading, Unreadable } from "@fairway/contract/readings";
import { sql } from "kysely";
import type { SourceReading, UnreadablePage } from "#query/engine.ts";
import { compileRaw } from "#query/sql/compile.ts";
import type { QueryConnection } from "./query-runner.ts";
import { readingQuestions } from "./reading-questions.ts";
import { typeOf } from "./column-types.ts";
import type { SourceMetadata, Understood } from "./source-metadata.ts";
import { lineSentences } from "./source-report.ts";
import { type TextFile, fileNameOf, rowsOf } from "./text-rows.ts";
import type { ColumnDecision } from "./text/column-facts.ts";
import { cleanName } from "./text/csv-dialect.ts";
import { leftOutLines } from "./text/left-out-lines.ts";
import { derivedColumns } from "./text/place-columns.ts";
import type { DerivedFrom } from "./text/reading-settings.ts";
import { readAs } from "./text/text-columns.ts";
import { wayInSentence, wayLabel } from "./text/way-words.ts";
import { coordinateSentences } from "./coordinate-sentences.ts";
import { unreadableValues } from "./unreadable-values.ts";

const maxShownFiles = 20;
/** Values that cannot be read are shown of so many columns. */
const maxShownColumns = 50;
const maxShownValues = 5;

/** How text files are read, and the same as it is stored; null for other sources. */
export async function sourceReading(metadata: SourceMetadata, connection: QueryConnection): Promise<SourceReading | null> {
  const { understood, textFiles } = metadata;
  if (understood === null) return null;
  const { isWhole } = understood;
  const [row = []] = await connection.rows(compileRaw(sql`select cast(count(*) as varchar) from ${understood.looked}`));
  const rows = Number(row[0]);
  const columns = await columnReadings(metadata, understood, rows, connection);
  const leftOut = isWhole ? await leftOutOf(metadata, connection) : null;
  const files = await Promise.all(
    textFiles
      .slice(0, maxShownFiles)
      .map((file) => fileReading(file, textFiles.length === 1 ? rows : undefined, leftOut?.byFile.get(file) ?? 0, connection)),
  );
  const questions = await readingQuestions(metadata, understood, rows, connection);
  const reading: Reading = {
    files,
    fileCount: textFiles.length,
    rows,
    dateOrder: understood.dateOrder,
    decimalMark: understood.decimalMark,
    zone: understood.settings.zone,
    missingWords: [...understood.settings.missingWords],
    columns,
    questions,
    checkedRows: isWhole ? null : rows,
    sentences: [
      ...understood.sentences,
      ...(await coordinateSentences(understood, textFiles, connection)),
      ...(await repeatedHourSentences(understood, connection)),
      ...(leftOut?.sentences ?? uncheckedSentences(textFiles)),
      ...(isWhole ? [] : [`Checked up to row ${formatCount(rows)}. A schema update checks all rows.`]),
    ],
  };
  const differences = [...differencesOf(understood, reading), ...(leftOut?.sentences ?? [])];
  return { reading, stored: storedReading(metadata, understood, reading), differences };
}

async function fileReading(
  file: TextFile,
  knownRows: number | undefined,
  leftOut: number,
  connection: QueryConnection,
): Promise<FileReading> {
  const { head, copy } = file;
  const rows = knownRows ?? (await rowsOf(file, connection)) ?? 0;
  const dialect = "dialect" in file ? file.dialect : null;
  const { json, sheet } = copy?.findings ?? {};
  const unreadable: Unreadable = {
    count: copy?.findings.unreadable?.count ?? leftOut,
    first: copy?.findings.unreadableLines ?? [],
  };
  return {
    file: fileNameOf(file),
    format: sheet !== undefined ? "xlsx" : dialect === null ? "json" : "csv",
    encoding: head.encoding,
    encodingState: head.state,
    // A file of one column has none.
    delimiter: dialect === null || dialect.names.length === 1 ? null : dialect.delimiter,
    quote: dialect?.quote ?? null,
    headerLine: dialect?.headerLine ?? sheet?.headerLine ?? null,
    skipLines: dialect?.skipLines ?? sheet?.skipLines ?? 0,
    path: sheet === undefined ? (json?.path ?? null) : null,
    paths: json?.paths ?? [],
    ...(sheet === undefined ? {} : { sheet: sheet.sheet, sheets: sheet.sheets }),
    rows,
    checkedRows: file.isChecked ? null : rows,
    unreadable,
    sentences: [
      ...(dialect !== null && dialect.headerLine === null ? [unnamedSentence(dialect.names)] : []),
      ...(sheet?.headerLine === null ? [unnamedSentence(json?.headers ?? [])] : []),
      ...lineSentences(file, false),
    ],
  };
}

const unnamedSentence = ([first = "", ...others]: readonly string[]): string =>
  others.length === 0
    ? `The file has no line of column names: its column is called '${first}'.`
    : `The file has no line of column names: its columns are called '${first}' to '${others.at(-1)}'.`;

async function columnReadings(
  metadata: SourceMetadata,
  understood: Understood,
  rows: number,
  connection: QueryConnection,
): Promise<ColumnReading[]> {
  const bad = [...understood.columns].filter(([, one]) => one.type !== "STRING" && one.filled - one.missing > one.readable);
  const pages = bad.slice(0, maxShownColumns).map(([name]): UnreadablePage => ({ column: name, from: 0, limit: maxShownValues }));
  const unreadable = await unreadableValues(metadata, understood, pages, connection);
  return [...metadata.columns.keys()].map((name, index): ColumnReading => {
    const found = understood.columns.get(name);
    const header = understood.headers.get(name) ?? name;
    if (found === undefined) {
      const duckType = metadata.columns.get(name) ?? "";
      return {
        header,
        name,
        type: typeOf(duckType),
        format: null,
        day: duckType === "DATE",
        unit: null,
        zone: null,
        filled: rows,
        empty: 0,
        unreadable: { count: 0, first: [] },
        state: "sure",
        sentence: "Taken as the file gives it: the file is too large to look at each value.",
        also: [],
      };
    }
    const words = understood.settings.columns.get(name)?.missingWords;
    const isTime = isTimestamp(found.type) && found.format?.startsWith("epoch-") !== true;
    return {
      header,
      name,
      type: found.type,
      format: found.format,
      day: found.day,
      unit: isNumeric(found.type) ? found.reading.number.unit : null,
      zone: isTime && found.reading.time.hasClock && found.hasOffsets !== true ? found.reading.time.zone : null,
      missingWords: words == null ? null : [...words],
      filled: found.filled - found.missing,
      empty: rows - (found.filled - found.missing),
      unreadable: { count: Math.max(0, found.filled - found.missing - found.readable), first: unreadable.get(name) ?? [] },
      state: found.state,
      sentence: [found.sentence, ...nameSentence(header, name, index + 1)].join(" "),
      label: found.day && found.format === null ? "date" : wayLabel(found.type, found.format),
      also: found.also.map(({ type, format, label, unreadable: lost }) => ({ type, format, label, unreadable: lost })),
    };
  });
}

/** A remark on a column whose name differs from the file's. */
function nameSentence(header: string, name: string, position: number): string[] {
  if (cleanName(header) === "") return [`The file gives it no name: it is column ${position}, and called '${name}'.`];
  if (header === name) return [];
  const shown = JSON.stringify(header.length > 60 ? `${header.slice(0, 60)}…` : header);
  return [`In the file it is called ${shown}.`];
}

interface LeftOut {
  readonly byFile: ReadonlyMap<TextFile, number>;
  readonly sentences: readonly string[];
}

/** The lines of files that nobody has looked at line by line and that are in no row, or in an empty one. */
async function leftOutOf({ textFiles, columns, from }: SourceMetadata, connection: QueryConnection): Promise<LeftOut> {
  const byFile = new Map<TextFile, number>();
  const unchecked = textFiles.filter(({ isChecked, copy }) => !isChecked && copy === null);
  for (const file of unchecked) if ("dialect" in file) byFile.set(file, await leftOutLines(file, connection));
  const lines = [...byFile.values()].reduce((sum, count) => sum + count, 0);
  const sentences =
    lines === 0
      ? []
      : [`${pluralize(lines, "line")} ${plural(lines, "does", "do")} not fit the columns and ${plural(lines, "is", "are")} left out.`];
  if (unchecked.every((file) => "dialect" in file)) return { byFile, sentences };
  const values = [...columns.keys()].map((name) => sql`cast(${sql.id(name)} as varchar)`);
  const [row = []] = await connection.rows(
    compileRaw(sql`select cast(count(*) - count(coalesce(${sql.join(values)})) as varchar) from ${from}`),
  );
  const empty = Number(row[0]);
  return empty === 0
    ? { byFile, sentences }
    : {
        byFile,
        sentences: [
          ...sentences,
          `${pluralize(empty, "line")} ${plural(empty, "is no object or has", "are no objects or have")} no values: ${plural(empty, "it is an empty row", "they are empty rows")}.`,
        ],
      };
}

/** Of large sources, which the engine reads itself: it does not say what it leaves out. */
function uncheckedSentences(files: readonly TextFile[]): string[] {
  const first = files.find(({ isChecked, copy }) => !isChecked && copy === null);
  if (first === undefined) return [];
  const what = "dialect" in first ? "Lines that do not fit the columns are left out." : "Lines that are not objects become empty rows.";
  return [`${what} The source is too large to count them here: a schema update does.`];
}

/** Clocks of a zone that it shows twice, an hour or half an hour apart. */
async function repeatedHourSentences({ columns, looked }: Understood, connection: QueryConnection): Promise<string[]> {
  const clocks = [...columns].filter(
    ([, { type, format, reading }]) =>
      isTimestamp(type) && format?.startsWith("epoch-") !== true && reading.time.hasClock && reading.time.zone !== "UTC",
  );
  if (clocks.length === 0) return [];
  const counts = clocks.map(([name, { type, reading }]) => {
    // A text with an offset says which of the two it means.
    const moment = readAs(type, sql.id(name), { ...reading, time: { ...reading.time, hasOffset: false } }).value;
    const zone = sql.lit(reading.time.zone);
    const isSame = (later: string) => sql`timezone(${zone}, moment) = timezone(${zone}, moment + ${sql.raw(`interval '${later}'`)})`;
    return sql`cast(sum(coalesce(len(list_filter([${moment}], lambda moment: ${isSame("30 minutes")} or ${isSame("1 hour")})), 0)) as varchar)`;
  });
  const [row = []] = await connection.rows(compileRaw(sql`select ${sql.join(counts)} from ${looked}`));
  return clocks.flatMap(([name, { reading }], index) => {
    const count = Number(row[index] ?? 0);
    const lie = plural(count, "lies", "lie");
    return count === 0
      ? []
      : [
          `${pluralize(count, "time")} of '${name}' ${lie} in an hour that ${reading.time.zone} has twice, when its clocks are set back: the first one is taken.`,
        ];
  });
}

function storedReading(
  { textFiles }: SourceMetadata,
  { settings, columns, places, dateOrder, decimalMark }: Understood,
  { questions }: Reading,
): StoredReading {
  const same = <T>(get: (file: TextFile) => T): T | null => {
    const [first] = textFiles;
    const value = first === undefined ? undefined : get(first);
    return value !== undefined && textFiles.every((file) => get(file) === value) ? value : null;
  };
  const delimiter = same((file) => ("dialect" in file ? file.dialect.delimiter : null));
  const path = same((file) => (file.copy?.findings.sheet === undefined ? (file.copy?.findings.json?.path ?? null) : null));
  // The marks and bytes of a later file prove more than was found in this one.
  const isDecided = textFiles.every(({ head }) => !head.hasByteOrderMark && !["utf-8", "utf-16le", "utf-16be"].includes(head.encoding));
  const isEncodingOpen = questions.some(({ question, isAnswered }) => question === "encoding" && !isAnswered);
  const encoding = settings.encoding ?? (isDecided && !isEncodingOpen ? same((file) => file.head.encoding) : null);
  // Decided settings stay, whatever later files suggest.
  const [order, mark] = [settings.dateOrder ?? dateOrder, settings.decimalMark ?? decimalMark];
  const derived = derivedColumns(places);
  // A question that nobody has answered stays one.
  const answers = Object.fromEntries(questions.flatMap(({ question, taken, isAnswered }) => (isAnswered ? [[question, taken]] : [])));
  return {
    ...(encoding === null ? {} : { encoding }),
    ...(delimiter === null || columns.size - 2 * places.length === 1 ? {} : { delimiter }),
    ...(settings.quote === '"' || settings.quote === "'" ? { quote: settings.quote } : {}),
    ...(settings.headerLine === null ? {} : { headerLine: settings.headerLine }),
    ...(settings.skipLines === null ? {} : { skipLines: settings.skipLines }),
    ...(path === null ? {} : { path }),
    ...(settings.sheet === null ? {} : { sheet: settings.sheet }),
    ...(settings.sheets === null ? {} : { sheets: [...settings.sheets] }),
    ...(order === null ? {} : { dateOrder: order }),
    ...(mark === null ? {} : { decimalMark: mark }),
    zone: settings.zone,
    columns: [...columns].map(([name, column]) => storedColumn(name, column, settings, derived.get(name))),
    ...(Object.keys(answers).length === 0 ? {} : { answers }),
  };
}

function storedColumn(
  name: string,
  { type, format, day, reading, state }: ColumnDecision,
  { columns, chosenColumns, answers, zone: usual, missingWords: usualWords }: Understood["settings"],
  derived: DerivedFrom | undefined,
): StoredReading["columns"][number] {
  const { unit, exact } = reading.number;
  const missing = columns.get(name)?.missingWords;
  const zone = columns.get(name)?.zone;
  const emptied = answers.get(`missing:${name}`)?.startsWith("empty") === true ? reading.missingNumbers : [];
  const words = emptied.length > 0 ? [...new Set([...(missing ?? usualWords), ...emptied])] : missing;
  return {
    name,
    type,
    ...(format === null ? {} : { format }),
    ...(day ? { day } : {}),
    ...(unit === null || !isNumeric(type) ? {} : { unit }),
    ...(zone == null || zone === usual ? {} : { zone }),
    ...(words == null ? {} : { missingWords: [...words] }),
    ...(exact === null || type !== "decimal" ? {} : { exact: { ...exact } }),
    ...(derived === undefined ? {} : { derived: { column: derived.column, part: derived.part } }),
    state,
    ...(chosenColumns.has(name) ? { chosen: true } : {}),
  };
}

/** Contradictions of a stored reading. */
function differencesOf({ settings, columns }: Understood, reading: Reading): string[] {
  if (settings.columns.size === 0) return [];
  const shown = ({ type, format }: { type: ColumnType; format: string | null }) => wayInSentence(type, format);
  return reading.columns.flatMap(({ name, type, format, unreadable }): string[] => {
    if (!settings.columns.has(name)) return [`The column '${name}' is new.`];
    const suggested = columns.get(name)?.suggested;
    const isLost = unreadable.count > 0;
    const isOther = suggested !== undefined && !settings.chosenColumns.has(name) && type !== "STRING";
    if (!isLost && !isOther) return [];
    const [first] = unreadable.first;
    const why = first?.reason === undefined ? "" : `: ${first.reason}`;
    const where = first?.line == null ? "" : ` (line ${formatCount(first.line)}: '${first.text.slice(0, 40)}'${why})`;
    const lost = isLost ? `${pluralize(unreadable.count, "value")} of '${name}' cannot be read as ${shown({ type, format })}${where}.` : "";
    const other = isOther ? `'${name}' is stored as ${shown({ type, format })}; its values look like ${shown(suggested)} now.` : "";
    return [[lost, other].filter(Boolean).join(" ")];
  });
}
