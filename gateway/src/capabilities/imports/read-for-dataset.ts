import { type Column, type ColumnType, isNumeric, isTimestamp } from "@fairway/contract/columns";
import { formatCount, plural } from "@fairway/contract/counts";
import type { Drift, ImportChoices } from "@fairway/contract/imports";
import type { OwnDatasetSettings } from "@fairway/contract/internal-datasets";
import type { Reading, StoredReading } from "@fairway/contract/readings";
import { withColumns } from "#own-data/dataset-columns.ts";
import type { EngineCall } from "#query/engine.ts";
import { goesWithIt, isNeeded, plainOf, typeNames, usesOf } from "./dataset-drift.ts";
import { brokenColumns, type DerivedProblems } from "./derived-drift.ts";
import { readFiles, type ReadingParts, type ReadRequest } from "./read-files.ts";
import type { ImportResult } from "./tables.ts";

/** The dataset that files are added to, or whose rows they replace. */
export interface ReadTarget {
  readonly mode: "append" | "replace";
  readonly settings: OwnDatasetSettings;
  readonly reading: StoredReading | null;
  /** When the files that are in it already were added, by SHA-256. */
  readonly added: ReadonlyMap<string, Date>;
}

/** Files that are to be read, with their SHA-256. */
interface Digest {
  readonly file: string;
  readonly sha256: string | null;
}

/**
 * Reads files as those of a dataset are read, and lists how they differ. The reading of the dataset applies to its columns, which are found
 * by their names; a column whose values do not fit widens.
 */
export async function readForDataset(
  parts: ReadingParts & { readonly derivedProblems: DerivedProblems },
  request: ReadRequest,
  target: ReadTarget,
  digests: readonly Digest[],
  call: EngineCall,
): Promise<ImportResult> {
  const found = await readFiles(parts, request, call);
  const columns = plainOf(found.settings);
  const names = matchColumns(columns, plainOf(target.settings), request.choices);
  const known = new Map(plainOf(target.settings).map((column) => [column.name, column]));
  const stored = request.format === "parquet" ? undefined : readingFor(names, known, target.reading);
  const read = stored === undefined ? found : await readFiles(parts, { ...request, reading: stored }, call);
  const misfits = columns.flatMap((column) => misfitOf(column, known.get(names.get(column.name) ?? ""), read.reading));
  const wide = misfits.filter(({ widened }) => widened !== null);
  const reading = stored && wide.length > 0 ? { ...stored, columns: widenedColumns(stored, wide, found) } : stored;
  const final = reading === stored ? read : await readFiles(parts, { ...request, reading }, call);
  const written = plainOf(final.settings);
  const added = written.filter(({ name }) => !names.has(name));
  const reached = new Set(names.values());
  const missing = [...known.keys()].filter((name) => !reached.has(name));
  const types = new Map(wide.map(({ column, widened }) => [names.get(column) ?? column, widened]));
  const kept = target.mode === "replace" ? [...known.values()].filter(({ name }) => reached.has(name)) : [...known.values()];
  const united = [...kept.map((column) => widenedColumn(column, types.get(column.name), written, names)), ...added];
  const needed = missing.filter((name) => isNeeded(name, target.settings));
  const used = target.mode === "replace" ? missing.filter((name) => usesOf(name, target.settings).length > 0) : missing;
  const settings = withColumns(target.settings, united);
  return {
    ...final,
    sample: { rows: final.sample.rows.map((row) => ({ ...row, values: renamed(row.values, names) })), spreads: spreadsOf(final, names) },
    settings,
    drift: [
      ...sameFiles(digests, target.added),
      ...(target.mode === "append" ? otherFormat(found.reading, target.reading, otherDifferences(final, names, misfits)) : []),
      ...renamedSentences(names),
      ...(target.mode === "append" ? added.map(({ name }) => newColumn(name)) : []),
      ...used.map((name) => missingColumn(name, needed.includes(name), target)),
      ...misfits.map(({ drift }) => drift),
      ...(await brokenColumns(parts.derivedProblems, target.settings, settings)),
    ],
    append: { columns: written, renamed: Object.fromEntries(names), reading: final.stored, needed },
  };
}

const loose = (name: string): string => name.toLowerCase().replaceAll(/[\s_]/g, "");

/** The column of the dataset for each of the files: as chosen, of the same name, or the only one whose name is nearly the same. */
function matchColumns(columns: readonly Column[], known: readonly Column[], { columns: choices }: ImportChoices): Map<string, string> {
  const exact = new Set(known.map(({ name }) => name));
  const chosen = new Map(Object.entries(choices ?? {}).flatMap(([name, choice]) => (choice?.as == null ? [] : [[name, choice.as]])));
  const names = new Map<string, string>();
  for (const { name } of columns) {
    const as = chosen.get(name);
    if (as !== undefined && exact.has(as)) names.set(name, as);
    else if (as === undefined && exact.has(name)) names.set(name, name);
  }
  const taken = new Set(names.values());
  for (const { name } of columns) {
    if (names.has(name) || chosen.has(name)) continue;
    const similar = known.filter((one) => !taken.has(one.name) && loose(one.name) === loose(name));
    const rivals = columns.filter((one) => !names.has(one.name) && loose(one.name) === loose(name));
    const [only] = similar;
    if (only !== undefined && similar.length === 1 && rivals.length === 1) names.set(name, only.name);
  }
  return names;
}

/** The reading of the dataset, for columns as these files call them. Encoding, delimiter and lines are found for each file. */
function readingFor(names: ReadonlyMap<string, string>, known: ReadonlyMap<string, Column>, reading: StoredReading | null): StoredReading {
  const decided = new Map(reading?.columns.map((column) => [column.name, column]));
  const { dateOrder, decimalMark, zone, missingWords, answers } = reading ?? {};
  return {
    dateOrder,
    decimalMark,
    zone,
    missingWords,
    ...(answers === undefined ? {} : { answers }),
    columns: [...names].flatMap(([name, own]) => {
      const column = known.get(own);
      const stored = decided.get(own);
      // A column without any value may still get its type from the first file that fills it.
      if (column === undefined) return [];
      return [{ ...(stored?.type === column.type ? stored : { type: column.type, state: "sure" as const }), name }];
    }),
  };
}

interface Misfit {
  readonly column: string;
  /** Null if the values are counted as unreadable. */
  readonly widened: ColumnType | null;
  readonly drift: Drift;
}

/** Values that do not fit their column: below a tenth they are lost, else the column widens. */
function misfitOf(found: Column, known: Column | undefined, reading: Reading | null): Misfit[] {
  if (known === undefined) return [];
  const read = reading?.columns.find(({ name }) => name === found.name);
  if (read === undefined) {
    const widened = widest(known.type, found.type);
    return widened === known.type ? [] : [widening(found.name, known, widened, 0)];
  }
  const { count } = read.unreadable;
  if (count === 0) return [];
  if (count * 10 >= read.filled) return [widening(found.name, known, widest(known.type, found.type), count)];
  const lost = `${formatCount(count)} of ${formatCount(read.filled)} values of '${known.name}' ${plural(count, "does", "do")} not fit and will have no value.`;
  return [{ column: found.name, widened: null, drift: { kind: "does-not-fit", column: known.name, count, sentence: lost } }];
}

function widening(column: string, known: Column, widened: ColumnType, count: number): Misfit {
  const values = count === 0 ? "Values" : `${formatCount(count)} values`;
  const sentence = `${values} of '${known.name}' do not fit: the column becomes ${typeNames[widened]}.`;
  return { column, widened, drift: { kind: "does-not-fit", column: known.name, ...(count === 0 ? {} : { count }), sentence } };
}

/** The narrowest type that holds the values of both. */
function widest(one: ColumnType, other: ColumnType): ColumnType {
  if (one === other) return one;
  if (isNumeric(one) && isNumeric(other)) return "decimal";
  if (isTimestamp(one) && isTimestamp(other)) return "TIMESTAMP_MILLS";
  return "STRING";
}

function widenedColumns(stored: StoredReading, wide: readonly Misfit[], found: ImportResult): StoredReading["columns"] {
  const types = new Map(wide.map(({ column, widened }) => [column, widened]));
  const natural = new Map(found.stored?.columns.map((column) => [column.name, column]));
  return stored.columns.map((column) => {
    const type = types.get(column.name);
    if (type == null) return column;
    const own = natural.get(column.name);
    return own?.type === type ? own : { name: column.name, type, state: "sure" as const };
  });
}

function widenedColumn(
  column: Column,
  type: ColumnType | null | undefined,
  written: readonly Column[],
  names: ReadonlyMap<string, string>,
): Column {
  const file = written.find(({ name }) => names.get(name) === column.name);
  const { day, ...others } = column;
  // A day among times is midnight.
  const isDay = day === true && (file === undefined || file.day === true);
  return { ...others, type: type ?? column.type, ...(isDay ? { day: true } : {}) };
}

const newColumn = (column: string): Drift => ({
  kind: "new-column",
  column,
  sentence: `The column '${column}' is new: it will be empty in the rows of before. Leave it out to ignore it.`,
});

function missingColumn(column: string, isNeededColumn: boolean, { mode, settings }: ReadTarget): Drift {
  const consequence = isNeededColumn
    ? ": the dataset does not work without it."
    : mode === "append"
      ? ": it will be empty in the new rows."
      : goesWithIt(usesOf(column, settings));
  return { kind: "missing-column", column, sentence: `The files have no column '${column}'${consequence}` };
}

function sameFiles(digests: readonly Digest[], added: ReadonlyMap<string, Date>): Drift[] {
  return digests.flatMap(({ file, sha256 }): Drift[] => {
    const at = added.get(sha256 ?? "");
    if (at === undefined) return [];
    return [{ kind: "same-file", file, sentence: `This file was added on ${at.toISOString().slice(0, 10)}. Add it again?` }];
  });
}

function otherFormat(found: Reading | null, stored: StoredReading | null, differences: readonly string[]): Drift[] {
  const sentences = [...differences];
  for (const { file, encoding, delimiter } of found?.files ?? []) {
    if (stored?.delimiter != null && delimiter !== null && delimiter !== stored.delimiter)
      sentences.push(`'${file}' separates its values by '${delimiter}', and not by '${stored.delimiter}' as the files of before.`);
    if (stored?.encoding != null && encoding !== stored.encoding)
      sentences.push(`'${file}' is in ${encoding}, and not in ${stored.encoding} as the files of before.`);
  }
  return sentences.map((sentence) => ({ kind: "other-format", sentence }));
}

/** Contradictions that nothing else in the list says. */
function otherDifferences({ differences }: ImportResult, names: ReadonlyMap<string, string>, misfits: readonly Misfit[]): string[] {
  const told = new Set(misfits.map(({ column }) => column));
  return differences.filter((sentence) => {
    const column = /'([^']*)'/.exec(sentence)?.[1] ?? "";
    return names.has(column) && !told.has(column);
  });
}

function renamedSentences(names: ReadonlyMap<string, string>): Drift[] {
  return [...names]
    .filter(([name, own]) => name !== own)
    .map(([name, own]) => ({ kind: "other-format", column: own, sentence: `The column '${name}' of the files goes to '${own}'.` }));
}

const renamed = <Value>(values: Readonly<Record<string, Value>>, names: ReadonlyMap<string, string>): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [names.get(name) ?? name, value]));

const spreadsOf = ({ sample }: ImportResult, names: ReadonlyMap<string, string>) =>
  sample.spreads.map((spread) => Object.assign({}, spread, { column: names.get(spread.column) ?? spread.column }));
