import { plural, pluralize } from "@fairway/contract/counts";
import type { DateOrder, DecimalMark, ReadingHints } from "@fairway/contract/readings";
import { decideColumn, withCount } from "./column-decision.ts";
import { type Alternative, type ColumnDecision, type FoundOrder, type SourceDecisions, countedGroups, isDominant } from "./column-facts.ts";
import { type Evidence, type OrderCount, type ShapeGroup, readEvidence, readOrders, readSignificance } from "./evidence.ts";
import { type RawBuilder, sql } from "kysely";
import { compileRaw } from "#query/sql/compile.ts";
import type { QueryConnection } from "../query-runner.ts";
import { provenMarks } from "./number-decision.ts";
import type { ColumnSetting, ReadingSettings } from "./reading-settings.ts";
import { type PlaceColumn, asPartOfPlace, derivedColumns, placeColumns, withPlaces } from "./place-columns.ts";
import { readAs } from "./text-columns.ts";
import { isLocal, parseTimeFormat, settledReading, withoutZone } from "./text-reading.ts";
import { ordersOf, separatorOf } from "./time-forms.ts";
import { wayLabel } from "./way-words.ts";

/** Numbers that often stand for a missing value. */
export const sentinel = /^-?9{3,6}(?:[.,]0*)?$|^-?9{3,4}[.,]9{1,3}$/;

/** Facts about the columns of a source that are known before their values are looked at. */
export interface SourceColumns {
  readonly from: RawBuilder<unknown>;
  readonly names: readonly string[];
  /** Columns of which the file itself says that all values are numbers. */
  readonly numbers: ReadonlySet<string>;
  /** A delimiter after which a decimal comma is likely. */
  readonly isSemicolon: boolean;
  /** Whether its positions are in another coordinate system than degrees. */
  readonly isProjected?: boolean;
  /** Whether these are all rows. */
  readonly isWhole: boolean;
}

export interface DecidedSource {
  /** The rows that were looked at: all, or the first ones of a large source. */
  readonly looked: RawBuilder<unknown>;
  /** Whether all rows were looked at. */
  readonly isWhole: boolean;
  readonly columns: ReadonlyMap<string, ColumnDecision>;
  readonly dateOrder: DateOrder | null;
  readonly decimalMark: DecimalMark | null;
  /** Text columns of positions, from which others are derived. */
  readonly places: readonly PlaceColumn[];
  /** Decisions that concern several columns, in sentences. */
  readonly sentences: readonly string[];
}

/** Decides how all columns of a source are read: first what concerns the whole source, then each column. */
export async function decideSource(source: SourceColumns, settings: ReadingSettings, connection: QueryConnection): Promise<DecidedSource> {
  const own = [...settings.columns.values()].flatMap(({ missingWords: words }) => words ?? []);
  const allWords = [...new Set([...settings.missingWords, ...own])];
  const ofFiles = await readEvidence(source.from, source.names, allWords, connection);
  const places = source.isProjected === true ? [] : await placeColumns(source.from, source.names, ofFiles, settings, connection);
  const derived = derivedColumns(places);
  const from = withPlaces(source.from, places);
  const names = [...source.names, ...derived.keys()];
  const evidence = new Map([...ofFiles, ...(await readEvidence(from, [...derived.keys()], allWords, connection))]);
  const missingWords = new Set(settings.missingWords);
  const dated = names.filter((name) => holdsOpenDates(evidence.get(name) ?? [], missingWords));
  const orders = await readOrders(from, dated, connection);
  const long = names.filter((name) => (evidence.get(name) ?? []).some(({ shape }) => isLongNumber(shape)));
  const significance = await readSignificance(from, long, connection);
  // JSON and positions write numbers with points, whatever other columns show.
  const numbers = new Set([...source.numbers, ...derived.keys()]);
  const marks = decideMarks(evidence, { ...source, numbers }, settings, missingWords);
  const dateOrders = decideOrders(evidence, orders, settings, missingWords);
  const columns = new Map<string, ColumnDecision>();
  for (const name of names) {
    const isRevised = (settings.revised.dateOrder && dateOrders.isOpen(name)) || (settings.revised.decimalMark && marks.isOpen(name));
    const setting = settingOf(name, settings, isRevised);
    // Numbers among them are counted by what is read, as 9 and 9.0 are one.
    const words = setting?.missingWords
      ? new Set(setting.missingWords.map((word) => word.toLowerCase()).filter((word) => !isPlainNumber(word)))
      : missingWords;
    const decisions: SourceDecisions = {
      ...(marks.of.get(name) ?? { mark: numbers.has(name) ? "." : marks.usual, isMarkOpen: false, isMarkAssumed: false }),
      orderOf: (format) => dateOrders.of(name, format),
      zone: setting?.zone ?? settings.zone,
      century: settings.century,
      isCenturyAssumed: !settings.answers.has("twoDigitYears"),
      missingWords: words,
    };
    const found = decideColumn(
      {
        name,
        groups: evidence.get(name) ?? [],
        holdsNumbers: numbers.has(name),
        orders: orders.get(name),
        significance: significance.get(name),
      },
      decisions,
    );
    const decided = settled(found, name, setting, settings);
    const origin = derived.get(name);
    columns.set(name, origin === undefined ? decided : asPartOfPlace(decided, origin));
  }
  await verify(columns, from, connection);
  return {
    looked: from,
    isWhole: source.isWhole,
    columns,
    places,
    dateOrder: dateOrders.usual,
    decimalMark: marks.shown,
    sentences: [...dateOrders.sentences, ...marks.sentences],
  };
}

/** Counts what the casts themselves make of values: a shape says nothing of the 31st of February. */
async function verify(columns: Map<string, ColumnDecision>, from: RawBuilder<unknown>, connection: QueryConnection): Promise<void> {
  const doubtful = [...columns].filter(([, { type, needsCount }]) => type !== "STRING" && needsCount);
  const offered = [...columns].flatMap(([name, { also }]) =>
    also.flatMap((way) => (way.counted === undefined ? [] : [{ name, way, reading: way.counted.reading }])),
  );
  const fine = [...columns].filter(([, { reading, hasFineTimes }]) => hasFineTimes === true && reading.duckType.startsWith("TIMESTAMP"));
  if (doubtful.length + offered.length + fine.length === 0) return;
  const counts = doubtful.flatMap(([name, { type, reading }]) => {
    const value = readAs(type, sql.id(name), reading).value;
    const all = reading.missingNumbers.length === 0 ? value : readAs(type, sql.id(name), { ...reading, missingNumbers: [] }).value;
    // Written as a time, even where its zone skips the hour.
    const written = isLocal(reading) ? readAs(type, sql.id(name), withoutZone(reading)).value : all;
    return [value, all, written].map((one) => sql`cast(count(${one}) as varchar)`);
  });
  const read = offered.map(({ name, way, reading }) => sql`cast(count(${readAs(way.type, sql.id(name), reading).value}) as varchar)`);
  const cut = fine.map(([name]) => sql`cast(sum(cast(regexp_matches(${sql.id(name)}, ${sql.lit(fineFraction)}) as integer)) as varchar)`);
  const [row = []] = await connection.rows(compileRaw(sql`select ${sql.join([...counts, ...read, ...cut])} from ${from}`));
  for (const [index, [name, found]] of doubtful.entries()) {
    const [kept, all, written] = [Number(row[index * 3]), Number(row[index * 3 + 1]), Number(row[index * 3 + 2])];
    columns.set(name, withCount(found, all, all - kept, written));
  }
  const readable = new Map(offered.map(({ way }, index) => [way, Number(row[counts.length + index])]));
  for (const [name, found] of columns) columns.set(name, { ...found, also: countedWays(found, readable) });
  for (const [index, [name]] of fine.entries()) {
    const count = Number(row[counts.length + read.length + index]);
    const found = columns.get(name);
    if (found === undefined || count === 0 || !found.reading.duckType.startsWith("TIMESTAMP")) continue;
    columns.set(name, { ...found, sentence: `${found.sentence} ${fineSentence(count)}` });
  }
}

/** Digits of a second below its thousandths. */
const fineFraction = ":[0-9]{2}[.,][0-9]{3}[0-9]*[1-9]";

const fineSentence = (count: number): string =>
  `${pluralize(count, "value")} ${plural(count, "has", "have")} more than milliseconds, which tables and filters leave out.`;

/** The ways to read a column that are offered, with how many values they lose; without those that lose most. */
function countedWays({ also }: ColumnDecision, readable: ReadonlyMap<Alternative, number>): Alternative[] {
  return also.flatMap((way): Alternative[] => {
    const good = readable.get(way);
    const { counted, ...plain } = way;
    if (good === undefined || counted === undefined) return [way];
    return good * 2 < counted.values ? [] : [{ ...plain, unreadable: counted.values - good }];
  });
}

/** The settings of a column. A newer decision for the whole source takes back how it was written. */
function settingOf(name: string, settings: ReadingSettings, isRevised: boolean): ColumnSetting | undefined {
  const setting = settings.columns.get(name);
  if (setting === undefined || !isRevised || settings.chosenColumns.has(name)) return setting;
  return { zone: setting.zone, missingWords: setting.missingWords };
}

/** A decision that has been made before. */
function settled(found: ColumnDecision, name: string, setting: ColumnSetting | undefined, settings: ReadingSettings): ColumnDecision {
  const asked = missingNumbersOf(found.range, settings.answers.get(`missing:${name}`));
  const numbers = [...new Set([...(setting?.missingWords ?? []).filter(isPlainNumber), ...asked])];
  const withNumbers = numbers.length === 0 ? found : { ...found, needsCount: true, reading: { ...found.reading, missingNumbers: numbers } };
  if (setting?.type == null) return withNumbers;
  const type = setting.type;
  const reading = settledReading({ ...setting, type }, withNumbers.reading, settings);
  const format = setting.format ?? (type === found.type ? found.format : null);
  const isSame = type === found.type && format === found.format;
  const isChosen = settings.chosenColumns.has(name);
  if (isSame)
    return {
      ...withNumbers,
      reading,
      isSettled: true,
      needsCount: withNumbers.needsCount || numbers.length > 0,
      state: found.state === "mixed" ? "mixed" : isChosen || found.state === "sure" ? "sure" : (setting.state ?? found.state),
      // A choice for the column alone ends the question of the whole source.
      ...(isChosen ? { sentence: chosenSentence, isOpen: { ...found.isOpen, order: false, mark: false } } : {}),
    };
  const also = [
    {
      type: found.type,
      format: found.format,
      label: wayLabel(found.type, found.format),
      unreadable: 0,
      ...(found.type === "STRING" ? {} : { counted: { reading: found.reading, values: found.filled - found.missing } }),
    },
    ...found.also.filter((one) => one.type !== type || one.format !== format),
  ];
  const day = reading.duckType === "DATE" && (type === "TIMESTAMP_SECONDS" || type === "TIMESTAMP_MILLS");
  return {
    ...withNumbers,
    type,
    format,
    day,
    reading,
    also,
    state: isChosen ? "sure" : (setting.state ?? "sure"),
    sentence: isChosen ? chosenSentence : "Read as it is stored with the dataset.",
    ...(isChosen ? {} : { suggested: { type: found.type, format: found.format } }),
    ...(type === "STRING" ? { missing: 0, readable: found.filled } : {}),
    isOpen: { years: false, order: false, mark: false },
    isSettled: true,
    needsCount: true,
  };
}

const chosenSentence = "Read as chosen for this column.";

const isPlainNumber = (word: string): boolean => /^-?[0-9]{1,15}(?:\.[0-9]{1,10})?$/.test(word);

/** The least and the greatest value, as far as they often stand for a missing one, such as -9999, and are read as none: `empty`, `empty:-9999`. */
function missingNumbersOf(range: ColumnDecision["range"], answer: string | undefined): string[] {
  const ends = range === null ? [] : [range.from, range.to];
  const found = ends.map(String).filter((text) => sentinel.test(text));
  return answer === "empty" ? found : found.filter((text) => answer === `empty:${text}`);
}

const isLongNumber = (shape: string): boolean => shape.replaceAll(/[^0-9]/g, "").length > 17;

function holdsOpenDates(groups: readonly ShapeGroup[], missingWords: ReadonlySet<string>): boolean {
  const counted = countedGroups(groups, missingWords);
  const sum = (list: typeof counted) => list.reduce((total, { group }) => total + group.count, 0);
  const times = counted.filter(({ time }) => time !== undefined);
  return (
    times.some(({ time }) => time !== undefined && ordersOf(time.format) !== null) &&
    isDominant(sum(times), sum(counted), sum(counted.filter(({ isMissing }) => isMissing)))
  );
}

type ColumnMark = Pick<SourceDecisions, "mark" | "isMarkOpen" | "isMarkAssumed">;

interface Marks {
  readonly of: ReadonlyMap<string, ColumnMark>;
  /** Whether no value proves the mark of a column. */
  readonly isOpen: (name: string) => boolean;
  /** For columns without any mark. */
  readonly usual: DecimalMark;
  readonly shown: DecimalMark | null;
  readonly sentences: readonly string[];
}

function decideMarks(
  evidence: Evidence,
  { isSemicolon, numbers }: SourceColumns,
  settings: ReadingSettings,
  missingWords: ReadonlySet<string>,
): Marks {
  const proven = [...evidence].flatMap(([name, groups]) => {
    if (numbers.has(name)) return [];
    const marks = provenMarks(groups, missingWords);
    return marks === undefined ? [] : [{ name, ...marks }];
  });
  const hasComma = proven.some(({ comma }) => comma > 0);
  const hasPoint = proven.some(({ point }) => point > 0);
  const elsewhere: DecimalMark | undefined = hasComma === hasPoint ? undefined : hasComma ? "," : ".";
  // One mark for all columns that leave it open.
  const showsComma = proven.some(({ point, comma, open: shown }) => point === 0 && comma === 0 && shown === ",");
  const customary = isSemicolon && showsComma ? "," : ".";
  const of = new Map<string, ColumnMark>();
  const open = new Set<string>();
  for (const { name, point, comma, open: shown } of proven) {
    const isProven = point > 0 || comma > 0;
    if (!isProven && shown !== null) open.add(name);
    const isOwn = settings.chosenColumns.has(name) || !settings.revised.decimalMark || isProven;
    const own = isOwn ? settings.columns.get(name)?.format : undefined;
    // Without a proof in any column, the question stays open until somebody answers.
    const isMarkOpen = !isProven && elsewhere === undefined;
    const isMarkAssumed = isMarkOpen && !settings.answers.has("decimalMark");
    if (own === "." || own === ",") of.set(name, { mark: own, isMarkOpen, isMarkAssumed });
    else if (isProven) of.set(name, { mark: comma > point ? "," : ".", isMarkOpen, isMarkAssumed });
    else if (shown === null) continue;
    else {
      const mark = settings.decimalMark ?? elsewhere ?? customary;
      of.set(name, { mark, isMarkOpen, isMarkAssumed });
    }
  }
  const all = [...of.values()];
  const commas = all.filter(({ mark }) => mark === ",").length;
  const usual = settings.decimalMark ?? (commas * 2 > all.length ? "," : ".");
  const isOfBoth = proven.some(({ comma, point }) => comma > point) && proven.some(({ comma, point }) => point >= comma && point > 0);
  const differs = isOfBoth ? ["Some columns have decimal commas and others decimal points; each is read in its own way."] : [];
  const kept = [...of].filter(([name, { mark }]) => settings.revised.decimalMark && !open.has(name) && mark !== settings.decimalMark);
  const keeps = kept.map(
    ([name, { mark }]) =>
      `Values of '${name}' show that the ${mark === "," ? "comma" : "point"} is its decimal mark, as in ${mark === "," ? "0,5" : "0.5"}.`,
  );
  const shown = all.length === 0 ? null : usual;
  return { of, isOpen: (name) => open.has(name), usual, shown, sentences: [...differs, ...keeps] };
}

interface Orders {
  readonly of: (name: string, format: string) => FoundOrder;
  /** Whether nothing proves the order of a column. */
  readonly isOpen: (name: string) => boolean;
  readonly usual: DateOrder | null;
  readonly sentences: readonly string[];
}

function decideOrders(
  evidence: Evidence,
  orders: ReadonlyMap<string, OrderCount>,
  settings: ReadingSettings,
  missingWords: ReadonlySet<string>,
): Orders {
  const own = new Map<string, DateOrder>();
  const bySeparator = new Map<string, Set<DateOrder>>();
  for (const [name, { firstAbove12, secondAbove12 }] of orders) {
    if (firstAbove12 === 0 && secondAbove12 === 0) continue;
    const order: DateOrder = firstAbove12 >= secondAbove12 ? "day-first" : "month-first";
    own.set(name, order);
    for (const { time } of countedGroups(evidence.get(name) ?? [], missingWords)) {
      if (time === undefined || ordersOf(time.format) === null) continue;
      const separator = separatorOf(time.format);
      bySeparator.set(separator, (bySeparator.get(separator) ?? new Set()).add(order));
    }
  }
  const provenAnywhere = new Set(own.values());
  const [onlyProven] = provenAnywhere.size === 1 ? provenAnywhere : [];
  const of: Orders["of"] = (name, format) => {
    const proven = own.get(name);
    if (proven !== undefined) return { order: proven, isOpen: false, isAssumed: false };
    const separator = separatorOf(format);
    const [sameSeparator, ...others] = bySeparator.get(separator) ?? [];
    if (sameSeparator !== undefined && others.length === 0) return { order: sameSeparator, isOpen: false, isAssumed: false };
    const isStored = settings.chosenColumns.has(name) || !settings.revised.dateOrder;
    const stored = isStored ? orderOfFormat(settings.columns.get(name)?.format ?? null, separator) : undefined;
    const order = stored ?? settings.dateOrder ?? onlyProven ?? (separator === "." ? "day-first" : orderByHints(settings.hints));
    return { order, isOpen: true, isAssumed: !settings.answers.has("dateOrder") };
  };
  const found = new Map(
    [...orders.keys()].map((name) => {
      const counted = countedGroups(evidence.get(name) ?? [], missingWords);
      const format = counted.find(({ time }) => time !== undefined && ordersOf(time.format) !== null)?.time?.format ?? "D/M/Y";
      return [name, of(name, format)];
    }),
  );
  // The field and the question of the order say the same.
  const open = [...found].filter(([name, { isOpen }]) => isOpen && !settings.chosenColumns.has(name));
  const all = (open.length > 0 ? open : [...found]).map(([, { order }]) => order);
  const dayFirst = all.filter((order) => order === "day-first").length;
  const differ =
    provenAnywhere.size > 1
      ? [
          `Columns have different orders of day and month: ${[...own].map(([name, order]) => `'${name}' ${order === "day-first" ? "day first" : "month first"}`).join(", ")}. Each is read in its own order.`,
        ]
      : [];
  const kept = [...own].filter(([, order]) => settings.revised.dateOrder && order !== settings.dateOrder);
  return {
    of,
    isOpen: (name) => found.get(name)?.isOpen === true,
    usual: all.length === 0 ? null : dayFirst * 2 >= all.length ? "day-first" : "month-first",
    sentences: [
      ...differ,
      ...kept.map(
        ([name, order]) =>
          `Values of '${name}' show that the ${order === "day-first" ? "day" : "month"} stands first, as in ${order === "day-first" ? "31/01/2024" : "01/31/2024"}.`,
      ),
    ],
  };
}

/** The order of a stored format such as `D/M/Y clock`, for dates with this separator if it has several. */
function orderOfFormat(format: string | null, separator: string): DateOrder | undefined {
  const days = (format === null ? undefined : parseTimeFormat(format)?.days)?.filter((day) => ordersOf(day) !== null) ?? [];
  const day = days.find((one) => separatorOf(one) === separator) ?? days[0];
  return day === undefined ? undefined : ordersOf(day)?.["day-first"] === day ? "day-first" : "month-first";
}

const orderByHints = ({ dateOrder }: ReadingHints): DateOrder => dateOrder ?? "month-first";
