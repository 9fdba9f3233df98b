import { isNumeric } from "@fairway/contract/columns";
import { formatCount } from "@fairway/contract/counts";
import { coordinatePair } from "@fairway/contract/coordinate-names";
import type { ReadingQuestion, TextEncoding } from "@fairway/contract/readings";
import { sql } from "kysely";
import { compileRaw } from "#query/sql/compile.ts";
import type { QueryConnection } from "./query-runner.ts";
import type { SourceMetadata, Understood } from "./source-metadata.ts";
import { encodingLabels } from "./text/encoding-labels.ts";
import { nameOf } from "./text-rows.ts";
import { readAs } from "./text/text-columns.ts";
import type { ColumnDecision } from "./text/column-facts.ts";
import type { TextReading } from "./text/text-reading.ts";
import { sentinel } from "./text/source-decisions.ts";
import { centuries, ordersOf } from "./text/time-forms.ts";

/** The decisions that change values and that nothing in the data proves. */
export async function readingQuestions(
  metadata: SourceMetadata,
  understood: Understood,
  rows: number,
  connection: QueryConnection,
): Promise<ReadingQuestion[]> {
  const parts: Parts = { metadata, understood, rows, connection };
  return [
    ...encodingQuestion(parts),
    ...(await dateOrderQuestion(parts)),
    ...(await decimalMarkQuestion(parts)),
    ...(await centuryQuestion(parts)),
    ...swappedPlacesQuestion(parts),
    ...(await missingNumberQuestions(parts)),
  ];
}

interface Parts {
  readonly metadata: SourceMetadata;
  readonly understood: Understood;
  readonly rows: number;
  readonly connection: QueryConnection;
}

const maxExamples = 3;

function encodingQuestion({ metadata, understood: { settings } }: Parts): ReadingQuestion[] {
  const file = metadata.textFiles.find(({ head }) => head.other !== null);
  const isAnswered = settings.answers.has("encoding");
  if (file === undefined || file.head.other === null) return [];
  const { encoding, other } = file.head;
  const option = (name: TextEncoding, at: 0 | 1) => ({
    option: name,
    label: encodingLabels[name],
    examples: other.words.map((words) => ({ text: words[at], becomes: words[at] })),
  });
  return [
    {
      question: "encoding",
      columns: [],
      sentence: `Which words are right? '${nameOf(file)}' does not say its encoding; ${encodingLabels[encoding]} is taken for now.`,
      options: [option(encoding, 0), option(other.encoding, 1)],
      taken: encoding,
      isAnswered,
    },
  ];
}

async function dateOrderQuestion({ understood, connection }: Parts): Promise<ReadingQuestion[]> {
  const asked = [...understood.columns].filter(([, { isOpen }]) => isOpen.order);
  const withOrder = (reading: TextReading, order: "day-first" | "month-first"): TextReading => ({
    ...reading,
    time: { ...reading.time, days: reading.time.days.map((format) => ordersOf(format)?.[order] ?? format) },
  });
  const examples = await examplesOf(understood, asked, connection, (name, { type, reading }) =>
    (["day-first", "month-first"] as const).map((order) => readAs(type, sql.id(name), withOrder(reading, order)).value),
  );
  if (asked.length === 0 || examples === null) return [];
  // Days with dots may be read in the other order.
  const taken = understood.dateOrder ?? "month-first";
  return [
    {
      question: "dateOrder",
      columns: asked.map(([column]) => column),
      sentence: `Does the day or the month stand first? No value shows it; the ${taken === "day-first" ? "day" : "month"} is taken for now.`,
      options: [
        { option: "day-first", label: "Day first", examples: examples(0) },
        { option: "month-first", label: "Month first", examples: examples(1) },
      ],
      taken,
      isAnswered: understood.settings.answers.has("dateOrder"),
    },
  ];
}

async function decimalMarkQuestion({ understood, connection }: Parts): Promise<ReadingQuestion[]> {
  const asked = [...understood.columns].filter(([, { isOpen }]) => isOpen.mark);
  const examples = await examplesOf(understood, asked, connection, (name, { reading }) =>
    ([",", "."] as const).map(
      (mark) => readAs("decimal", sql.id(name), { ...reading, number: { ...reading.number, mark, exact: null } }).value,
    ),
  );
  const [first] = asked.toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (first === undefined || examples === null) return [];
  const { mark } = first[1].reading.number;
  return [
    {
      question: "decimalMark",
      columns: asked.map(([column]) => column),
      sentence: `Is the comma or the point the decimal mark? No value shows it; the ${mark === "," ? "comma" : "point"} is taken for now.`,
      options: [
        { option: ",", label: "Comma", examples: examples(0) },
        { option: ".", label: "Point", examples: examples(1) },
      ],
      taken: mark,
      isAnswered: understood.settings.answers.has("decimalMark"),
    },
  ];
}

async function centuryQuestion({ understood, connection }: Parts): Promise<ReadingQuestion[]> {
  const asked = [...understood.columns].filter(([, { isOpen, format }]) => isOpen.years || (format !== null && /[./ -]y/.test(format)));
  const examples = await examplesOf(understood, asked, connection, (name, { type, reading }) =>
    centuries.map((century) => readAs(type, sql.id(name), { ...reading, time: { ...reading.time, century } }).value),
  );
  if (asked.length === 0 || examples === null) return [];
  return [
    {
      question: "twoDigitYears",
      columns: asked.map(([column]) => column),
      sentence: `Which years do two digits mean? ${understood.settings.century.replace("-", " to ")} is taken for now.`,
      options: centuries.map((century, index) => ({ option: century, label: century.replace("-", " to "), examples: examples(index) })),
      taken: understood.settings.century,
      isAnswered: understood.settings.answers.has("twoDigitYears"),
    },
  ];
}

/** A pair of columns that are places only if they are swapped. */
function swappedPlacesQuestion({ understood: { columns, settings } }: Parts): ReadingQuestion[] {
  const pair = coordinatePair([...columns].flatMap(([name, { type, range }]) => (isNumeric(type) && range !== null ? [name] : [])));
  if (pair === null) return [];
  const { latitude, longitude } = pair;
  const [lat, lng] = [columns.get(latitude)?.range, columns.get(longitude)?.range];
  if (!lat || !lng) return [];
  const isSwapped = (lat.from < -90 || lat.to > 90) && lat.from >= -180 && lat.to <= 360 && lng.from >= -90 && lng.to <= 90;
  if (!isSwapped) return [];
  const example = (a: string, b: string) => [{ text: `${lat.greatest}, ${lng.greatest}`, becomes: `latitude ${a}, longitude ${b}` }];
  return [
    {
      question: "swappedPlaces",
      columns: [latitude, longitude],
      sentence: `Are '${latitude}' and '${longitude}' swapped? Only then they are places on the map.`,
      options: [
        { option: "keep", label: "Keep them", examples: example(lat.greatest, lng.greatest) },
        { option: "swap", label: "Swap them", examples: example(lng.greatest, lat.greatest) },
      ],
      taken: settings.answers.get("swappedPlaces") === "swap" ? "swap" : "keep",
      isAnswered: settings.answers.has("swappedPlaces"),
    },
  ];
}

const sentinelShare = 0.01;

/** Numbers such as -9999, which often stand for a missing value: the least, the greatest or both values of a column. */
async function missingNumberQuestions({ understood: { columns, looked, settings }, connection }: Parts): Promise<ReadingQuestion[]> {
  const candidates = [...columns].flatMap(([name, { type, range, filled, missing }]) => {
    if (!isNumeric(type) || range === null) return [];
    const isAnswered = settings.answers.has(`missing:${name}`);
    const ends = [
      { text: range.least, number: String(range.from) },
      { text: range.greatest, number: String(range.to) },
    ].filter(({ text }, index, both) => sentinel.test(text) && both.findIndex((one) => one.number === both[index]?.number) === index);
    return ends.length > 0 && (range.from !== range.to || isAnswered) ? [{ name, ends, filled: filled - missing, isAnswered }] : [];
  });
  if (candidates.length === 0) return [];
  const counted = candidates.flatMap(({ name, ends }) => ends.map(({ text }) => ({ name, text })));
  const counts = counted.map(({ name, text }) => sql`cast(sum(cast(trim(${sql.id(name)}) = ${sql.lit(text)} as integer)) as varchar)`);
  const [row = []] = await connection.rows(compileRaw(sql`select ${sql.join(counts)} from ${looked}`));
  const countOf = new Map(counted.map(({ name, text }, index) => [JSON.stringify([name, text]), Number(row[index])]));
  return candidates.flatMap(({ name, ends, filled, isAnswered }): ReadingQuestion[] => {
    const found = ends.map((end) => Object.assign({}, end, { count: countOf.get(JSON.stringify([name, end.text])) ?? 0 }));
    // One value among few rows is more likely what it says.
    if (!isAnswered && found.every(({ count }) => count < 2 || count < filled * sentinelShare)) return [];
    const options = missingOptions(found);
    const answer = settings.answers.get(`missing:${name}`);
    return [
      {
        question: `missing:${name}`,
        columns: [name],
        sentence: missingSentence(name, found),
        options,
        taken: options.some(({ option }) => option === answer) ? (answer ?? "keep") : "keep",
        isAnswered,
      },
    ];
  });
}

interface FoundEnd {
  readonly text: string;
  /** As a number is written. */
  readonly number: string;
  readonly count: number;
}

const timesText = (count: number): string => (count === 1 ? "once" : `${formatCount(count)} times`);

function missingSentence(name: string, [first, second]: readonly FoundEnd[]): string {
  if (first === undefined) return "";
  if (second === undefined) return `Does '${first.text}' in '${name}' stand for a missing value? It occurs ${timesText(first.count)}.`;
  return `Do '${first.text}' and '${second.text}' in '${name}' stand for missing values? They occur ${timesText(first.count)} and ${timesText(second.count)}.`;
}

function missingOptions(ends: readonly FoundEnd[]): ReadingQuestion["options"] {
  const examples = (isEmpty: (end: FoundEnd) => boolean) =>
    ends.map((end) => ({ text: end.text, becomes: isEmpty(end) ? "no value" : end.text }));
  const isOne = ends.length === 1;
  return [
    { option: "keep", label: isOne ? "Keep it as a number" : "Keep both as numbers", examples: examples(() => false) },
    { option: "empty", label: isOne ? "Read it as no value" : "Read both as no value", examples: examples(() => true) },
    ...(isOne
      ? []
      : ends.map((end) => ({
          option: `empty:${end.number}`,
          label: `Read only '${end.text}' as no value`,
          examples: examples((other) => other === end),
        }))),
  ];
}

/** Columns that are looked at one by one. */
const maxLookedColumns = 20;
/** Values of a column among which examples are looked for first: the least ones, so that the order of rows does not matter. */
const maxLookedValues = 1_000;

type Values = readonly ReturnType<typeof readAs>["value"][];

/**
 * Values that several readings take for different ones, and what each reading makes of them. Null if there are none in any of these
 * columns: then there is nothing to ask.
 */
async function examplesOf(
  { looked }: Understood,
  columns: readonly (readonly [string, ColumnDecision])[],
  connection: QueryConnection,
  readings: (name: string, column: ColumnDecision) => Values,
): Promise<((index: number) => { text: string; becomes: string }[]) | null> {
  const differs = ([first = sql`null`, ...others]: Values) =>
    sql`(${sql.join(
      others.map((one) => sql`${first} is distinct from ${one}`),
      sql` or `,
    )})`;
  const textOf = (cell: unknown): string => (typeof cell === "string" ? cell.slice(0, 100) : "");
  const examplesIn = async (name: string, values: Values, most: number) => {
    const value = sql.id(name);
    const rows = await connection.rows(
      compileRaw(sql`
        select ${value}, ${sql.join(values.map((one) => sql`cast(${one} as varchar)`))}
        from (select ${value} from ${looked} where trim(${value}) <> '' group by 1 order by 1 limit ${sql.lit(most)})
        where ${differs(values)} order by 1 limit ${sql.lit(maxExamples)}`),
    );
    if (rows.length === 0) return null;
    return (index: number) =>
      rows.map((row) => ({ text: textOf(row[0]), becomes: textOf(row[index + 1]).replace(/ 00:00:00(?:\+00)?$|\.0$/, "") }));
  };
  const read = columns.map(([name, column]) => ({ name, values: readings(name, column) })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, values } of read.slice(0, maxLookedColumns)) {
    const found = await examplesIn(name, values, maxLookedValues);
    if (found !== null) return found;
  }
  if (read.length === 0) return null;
  const [row = []] = await connection.rows(
    compileRaw(
      sql`select ${sql.join(read.map(({ values }) => sql`cast(max(cast(${differs(values)} as integer)) as varchar)`))} from ${looked}`,
    ),
  );
  const telling = read.find((_, index) => row[index] === "1");
  return telling === undefined ? null : examplesIn(telling.name, telling.values, Number.MAX_SAFE_INTEGER);
}
