import { type Column, columnTypeName } from "@fairway/contract/columns";
import { pluralize } from "@fairway/contract/counts";
import type { DatasetProfile } from "@fairway/contract/dataset-profiles";
import type { ColumnReading, Reading } from "@fairway/contract/readings";
import type { ResultRow } from "@fairway/contract/search";
import { cellText } from "#lib/text/cell-text.ts";
import { typeNames, wayKey } from "#parts/reading/reading-words.ts";

/** Figures and values of a column. */
export interface ColumnFacts {
  /** Different values of some rows. */
  readonly examples: readonly string[];
  /** Share of the rows with a value, in whole percent; null if it is not known. */
  readonly filledPercent: number | null;
  /** How the column can be read; one of text files only. */
  readonly ways: readonly TypeOption[];
  /** The key of the way in which it is read. */
  readonly way: string | null;
}

export interface TypeOption {
  readonly key: string;
  /** `text: nothing lost`, `whole number: 12 values lost`. */
  readonly label: string;
}

const exampleCount = 3;
const exampleCharacters = 40;

export interface FactSources {
  readonly rows: readonly ResultRow[] | undefined;
  readonly profile: DatasetProfile | undefined;
  readonly reading: Reading | undefined;
}

/** The facts of columns by name, each found out when it is first asked for: a table shows some of a thousand. */
export function factsOf({ rows = [], profile, reading }: FactSources): (column: Column) => ColumnFacts {
  const profiled = new Map(profile?.columns.map((column) => [column.name, column]));
  const read = new Map(reading?.columns.map((column) => [column.name, column]));
  const known = new Map<Column, ColumnFacts>();
  return (column) => {
    const found = known.get(column);
    if (found) return found;
    const columnReading = column.combined === null ? read.get(column.name) : undefined;
    const counted = columnReading
      ? { filled: columnReading.filled, all: columnReading.filled + columnReading.empty }
      : countedBy(profile, profiled.get(column.name)?.empty);
    const facts: ColumnFacts = {
      examples: examplesOf(column, rows),
      filledPercent: counted === null || counted.all === 0 ? null : percentOf(counted.filled, counted.all),
      ways: columnReading ? waysOf(columnReading) : [],
      way: columnReading ? wayKey(columnReading) : null,
    };
    known.set(column, facts);
    return facts;
  };
}

const countedBy = (profile: DatasetProfile | undefined, empty: number | undefined) =>
  profile === undefined || empty === undefined ? null : { filled: profile.rows - empty, all: profile.rows };

/** 100 only if all are filled, 0 only if none is. */
function percentOf(filled: number, all: number): number {
  if (filled === 0 || filled === all) return filled === 0 ? 0 : 100;
  return Math.min(99, Math.max(1, Math.round((filled / all) * 100)));
}

function examplesOf(column: Column, rows: readonly ResultRow[]): string[] {
  const texts = new Set<string>();
  for (const row of rows) {
    const text = cellText(column, row);
    if (text !== null && text !== "") texts.add(text.length > exampleCharacters ? `${text.slice(0, exampleCharacters)}…` : text);
    if (texts.size === exampleCount) break;
  }
  return [...texts];
}

/** The ways that fit a column, its own first, each with what it would lose. */
function waysOf(column: ColumnReading): TypeOption[] {
  const own = wayKey(column);
  return [
    { key: own, label: withLoss(column.label ?? typeNames[column.type], column.unreadable.count) },
    ...column.also.filter((way) => wayKey(way) !== own).map((way) => ({ key: wayKey(way), label: withLoss(way.label, way.unreadable) })),
  ];
}

const withLoss = (label: string, lost: number): string => `${label}: ${lost === 0 ? "nothing" : pluralize(lost, "value")} lost`;

/** The type of a column that is read as its source has it. */
export const fixedTypeText = ({ combined, type, day }: Column): string =>
  combined === null
    ? day === true
      ? "Date"
      : columnTypeName[type]
    : `${combined.type === "COORDINATES" ? "Place" : "File"} of ${combined.fields.join(", ")}`;

/** The ways in which all of these columns can be read. */
export function sharedWays(facts: readonly ColumnFacts[]): TypeOption[] {
  const [first, ...others] = facts;
  if (!first) return [];
  return first.ways
    .filter(({ key }) => others.every(({ ways }) => ways.some((way) => way.key === key)))
    .map(({ key, label }) => ({ key, label: label.replace(/: [^:]* lost$/, "") }));
}
