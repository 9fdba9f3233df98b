import type { DateOrder, DecimalMark, ReadingHints } from "@fairway/contract/readings";
import {
  type ColumnDecision,
  type SourceDecisions,
  countedGroups,
  decideColumn,
  isDominant,
  provenMarks,
  withCount,
} from "./column-decision.ts";
import { type Evidence, type OrderCount, type ShapeGroup, readEvidence, readOrders, readSignificance } from "./evidence.ts";
import { type RawBuilder, sql } from "kysely";
import { compileRaw } from "#query/sql/compile.ts";
import type { QueryConnection } from "../query-runner.ts";
import type { ReadingSettings } from "./reading-settings.ts";
import { readAs } from "./text-columns.ts";
import { settledReading } from "./text-reading.ts";
import { ordersOf, separatorOf } from "./time-forms.ts";

/** Numbers that often stand for a missing value. */
export const sentinel = /^-?9{3,6}(?:[.,]0*)?$|^-?9{3,4}[.,]9{1,3}$/;

/** What is known of the columns of a source before their values are looked at. */
export interface SourceColumns {
  readonly from: RawBuilder<unknown>;
  readonly names: readonly string[];
  /** Columns of which the file itself says that all values are numbers. */
  readonly numbers: ReadonlySet<string>;
  /** A delimiter after which a decimal comma is likely. */
  readonly isSemicolon: boolean;
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
  /** Decisions that concern several columns, in sentences. */
  readonly sentences: readonly string[];
}

/** Decides how all columns of a source are read: first what concerns the whole source, then each column. */
export async function decideSource(source: SourceColumns, settings: ReadingSettings, connection: QueryConnection): Promise<DecidedSource> {
  const { from, names } = source;
  const allWords = [...settings.missingWords, ...[...settings.columns.values()].flatMap(({ missingWords: own }) => own ?? [])];
  const evidence = await readEvidence(from, names, [...new Set(allWords)], connection);
  const missingWords = new Set(settings.missingWords);
  const dated = names.filter((name) => holdsOpenDates(evidence.get(name) ?? [], missingWords));
  const orders = await readOrders(from, dated, connection);
  const long = names.filter((name) => (evidence.get(name) ?? []).some(({ shape }) => isLongNumber(shape)));
  const significance = await readSignificance(from, long, connection);
  const marks = decideMarks(evidence, source, settings, missingWords);
  const dateOrders = decideOrders(evidence, orders, settings, missingWords);
  const columns = new Map<string, ColumnDecision>();
  for (const name of names) {
    const setting = settings.columns.get(name);
    // Numbers among them are counted by what is read, as 9 and 9.0 are one.
    const words = setting?.missingWords
      ? new Set(setting.missingWords.map((word) => word.toLowerCase()).filter((word) => !isPlainNumber(word)))
      : missingWords;
    const decisions: SourceDecisions = {
      ...(marks.of.get(name) ?? { mark: marks.usual, isMarkAssumed: false }),
      orderOf: (format) => dateOrders.of(name, format),
      zone: setting?.zone ?? settings.zone,
      century: settings.century,
      missingWords: words,
    };
    const found = decideColumn(
      {
        name,
        groups: evidence.get(name) ?? [],
        holdsNumbers: source.numbers.has(name),
        orders: orders.get(name),
        significance: significance.get(name),
      },
      decisions,
    );
    columns.set(name, settled(found, name, settings));
  }
  await verify(columns, from, connection);
  return {
    looked: from,
    isWhole: source.isWhole,
    columns,
    dateOrder: dateOrders.usual,
    decimalMark: marks.shown,
    sentences: [...dateOrders.sentences, ...marks.sentences],
  };
}

/** Counts what the casts themselves make of values: a shape says nothing of the 31st of February. */
async function verify(columns: Map<string, ColumnDecision>, from: RawBuilder<unknown>, connection: QueryConnection): Promise<void> {
  const doubtful = [...columns].filter(([, { type, needsCount }]) => type !== "STRING" && needsCount);
  if (doubtful.length === 0) return;
  const counts = doubtful.flatMap(([name, { type, reading }]) => {
    const value = readAs(type, sql.id(name), reading).value;
    const all = reading.missingNumbers.length === 0 ? value : readAs(type, sql.id(name), { ...reading, missingNumbers: [] }).value;
    return [sql`cast(count(${value}) as varchar)`, sql`cast(count(${all}) as varchar)`];
  });
  const [row = []] = await connection.rows(compileRaw(sql`select ${sql.join(counts)} from ${from}`));
  for (const [index, [name, found]] of doubtful.entries()) {
    const [kept, all] = [Number(row[index * 2]), Number(row[index * 2 + 1])];
    columns.set(name, withCount(found, all, all - kept));
  }
}

/** A decision that has been made before. */
function settled(found: ColumnDecision, name: string, settings: ReadingSettings): ColumnDecision {
  const setting = settings.columns.get(name);
  const asked = settings.answers.get(`missing:${name}`) === "empty" ? missingNumberOf(found.range) : undefined;
  const numbers = [...new Set([...(setting?.missingWords ?? []).filter(isPlainNumber), ...(asked === undefined ? [] : [asked])])];
  const withNumbers = numbers.length === 0 ? found : { ...found, needsCount: true, reading: { ...found.reading, missingNumbers: numbers } };
  if (setting?.type == null) return withNumbers;
  const type = setting.type;
  const reading = settledReading({ ...setting, type }, withNumbers.reading, settings);
  const format = setting.format ?? (type === found.type ? found.format : null);
  const isSame = type === found.type && format === found.format;
  if (isSame)
    return {
      ...withNumbers,
      reading,
      isSettled: true,
      needsCount: withNumbers.needsCount || numbers.length > 0,
      state: found.state === "mixed" ? "mixed" : settings.chosenColumns.has(name) ? "sure" : (setting.state ?? found.state),
    };
  const also = [
    { type: found.type, format: found.format, label: "what the values suggest", unreadable: 0 },
    ...found.also.filter((one) => one.type !== type || one.format !== format),
  ];
  const day = reading.duckType === "DATE" && (type === "TIMESTAMP_SECONDS" || type === "TIMESTAMP_MILLS");
  const isChosen = settings.chosenColumns.has(name);
  return {
    ...withNumbers,
    type,
    format,
    day,
    reading,
    also,
    state: isChosen ? "sure" : (setting.state ?? "sure"),
    sentence: isChosen ? "As chosen." : "As it is stored.",
    suggested: { type: found.type, format: found.format },
    missing: type === "STRING" ? 0 : found.missing,
    isOpen: { years: false, order: false, mark: false },
    isSettled: true,
    needsCount: true,
  };
}

const isPlainNumber = (word: string): boolean => /^-?[0-9]{1,15}(?:\.[0-9]{1,10})?$/.test(word);

/** The least or the greatest value, if it is one that often stands for a missing one: -9999. */
function missingNumberOf(range: ColumnDecision["range"]): string | undefined {
  const ends = range === null ? [] : [range.from, range.to];
  return ends.map(String).find((text) => sentinel.test(text));
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

interface Marks {
  readonly of: ReadonlyMap<string, Pick<SourceDecisions, "mark" | "isMarkAssumed">>;
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
  const of = new Map<string, Pick<SourceDecisions, "mark" | "isMarkAssumed">>();
  for (const { name, point, comma, open } of proven) {
    const own = settings.columns.get(name)?.format;
    if (own === "." || own === ",") of.set(name, { mark: own, isMarkAssumed: false });
    else if (point > 0 || comma > 0) of.set(name, { mark: comma > point ? "," : ".", isMarkAssumed: false });
    else if (open === null) continue;
    else if (settings.decimalMark !== null) of.set(name, { mark: settings.decimalMark, isMarkAssumed: false });
    else if (elsewhere !== undefined) of.set(name, { mark: elsewhere, isMarkAssumed: false });
    else of.set(name, { mark: open === "," && isSemicolon ? "," : ".", isMarkAssumed: true });
  }
  const all = [...of.values()];
  const commas = all.filter(({ mark }) => mark === ",").length;
  const usual = settings.decimalMark ?? (commas * 2 > all.length ? "," : ".");
  const differs = hasComma && hasPoint ? ["Some columns have decimal commas and others decimal points; each is read in its own way."] : [];
  return { of, usual, shown: all.length === 0 ? null : usual, sentences: differs };
}

interface Orders {
  readonly of: (name: string, format: string) => { readonly order: DateOrder; readonly isAssumed: boolean };
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
    if (proven !== undefined) return { order: proven, isAssumed: false };
    const separator = separatorOf(format);
    const [sameSeparator, ...others] = bySeparator.get(separator) ?? [];
    if (sameSeparator !== undefined && others.length === 0) return { order: sameSeparator, isAssumed: false };
    if (settings.dateOrder !== null) return { order: settings.dateOrder, isAssumed: false };
    if (onlyProven !== undefined) return { order: onlyProven, isAssumed: true };
    return { order: separator === "." ? "day-first" : orderByHints(settings.hints), isAssumed: true };
  };
  const all = [...orders.keys()].map((name) => {
    const format =
      countedGroups(evidence.get(name) ?? [], missingWords).find(({ time }) => time !== undefined && ordersOf(time.format) !== null)?.time
        ?.format ?? "D/M/Y";
    return of(name, format).order;
  });
  const dayFirst = all.filter((order) => order === "day-first").length;
  const differ =
    provenAnywhere.size > 1
      ? [
          `Columns prove different orders of day and month: ${[...own].map(([name, order]) => `'${name}' ${order === "day-first" ? "day first" : "month first"}`).join(", ")}. Each is read in its own order.`,
        ]
      : [];
  return { of, usual: all.length === 0 ? null : dayFirst * 2 >= all.length ? "day-first" : "month-first", sentences: differ };
}

const orderByHints = ({ dateOrder }: ReadingHints): DateOrder => dateOrder ?? "month-first";
