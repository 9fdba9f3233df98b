import type { CatalogMatch } from "@fairway/contract/catalog";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { indexedFields } from "./fields.ts";
import type { Term } from "./ranking.ts";
import { unitText } from "./units.ts";
import { compoundMark, type Word, wordsOf, wordsOfName } from "./words.ts";

/** The texts of a dataset that the caller may see. */
export interface VisibleTexts {
  readonly name: string;
  readonly category: string;
  readonly tags: readonly string[];
  readonly columns: readonly { readonly name: string; readonly description: string; readonly unit?: string | undefined }[];
  readonly description: string;
  readonly community: LayerTexts;
  readonly private: LayerTexts;
}

export interface LayerTexts {
  readonly description: string;
  readonly columns: readonly { readonly name: string; readonly description: string }[];
}

export const noTexts: LayerTexts = { description: "", columns: [] };

interface Occurrence {
  readonly dataset_id: number;
  readonly field: number;
  readonly word_id: string;
  readonly columns: string[] | null;
}

/** Occurrences of terms, by the number of the dataset. */
export type Occurrences = ReadonlyMap<number, readonly Occurrence[]>;

const maxColumns = 8;
const maxColumnDescriptions = 3;
const snippetCharacters = 180;
/** Kept before the first match of a snippet. */
const leadCharacters = 60;

export async function findOccurrences(db: Kysely<Database>, terms: readonly Term[], datasets: readonly number[]): Promise<Occurrences> {
  const { rows } = await sql<Occurrence>`
    select dataset_id, field, word_id, columns from catalog_postings
    where dataset_id = any(${datasets}::integer[]) and word_id = any(${[...new Set(terms.map(({ id }) => id))]}::bigint[])`.execute(db);
  const occurrences = new Map<number, Occurrence[]>();
  for (const row of rows) {
    const known = occurrences.get(row.dataset_id);
    if (known) known.push(row);
    else occurrences.set(row.dataset_id, [row]);
  }
  return occurrences;
}

/** The best term of each word of the index, by its id. */
export function bestTerms(terms: readonly Term[]): ReadonlyMap<string, Term> {
  const best = new Map<string, Term>();
  for (const term of terms) {
    const known = best.get(term.id);
    if (known === undefined || known.quality < term.quality) best.set(term.id, term);
  }
  return best;
}

/** Matches in a dataset, the best first. */
export function matchesOf(texts: VisibleTexts, occurrences: readonly Occurrence[], terms: ReadonlyMap<string, Term>): CatalogMatch[] {
  const existing = new Set(texts.columns.map(({ name }) => name));
  const found = indexedFields.flatMap(({ code, field, layer, weight }) => {
    const here = occurrences.filter((occurrence) => occurrence.field === code);
    if (here.length === 0) return [];
    const marks = new Map<string, Term>();
    for (const { word_id } of here) {
      const term = terms.get(word_id);
      if (term !== undefined) marks.set(term.word, term);
    }
    const columnNames = new Set(here.flatMap(({ columns }) => columns ?? []));
    const match = (text: string, columnName: string | null): (CatalogMatch & { readonly score: number }) | undefined => {
      const words = field === "description" || field === "columnDescription" ? wordsOf(text) : wordsOfName(text);
      const matching = words.flatMap((word) => {
        const term = marks.get(word.word);
        return term === undefined ? [] : [{ word, term }];
      });
      if (matching.length === 0) return undefined;
      const score = weight * Math.max(...matching.map(({ term }) => term.quality));
      return { field, layer, columnName, ...snippetOf(text, rangesOf(matching)), score };
    };
    const all = (list: readonly (readonly [text: string, columnName: string | null])[]) =>
      list.flatMap(([text, columnName]) => match(text, columnName) ?? []);
    if (field === "name") return all([[texts.name, null]]);
    if (field === "category") return all([[texts.category, null]]);
    if (field === "tag") return all(texts.tags.map((tag) => [tag, null]));
    const texted: LayerTexts = layer === "system" ? texts : texts[layer];
    if (field === "description") return all([[texted.description, null]]);
    const columns = texted.columns.filter(({ name }) => columnNames.has(name) && existing.has(name));
    const units = field === "columnDescription" && layer === "system" ? texts.columns.filter(({ name }) => columnNames.has(name)) : [];
    const described = all(columns.map(({ name, description }) => [field === "column" ? name : description, name]));
    const matches = [
      ...described,
      // A column is listed once.
      ...all(units.map(({ name, unit }) => [unitText(unit), name])).filter(
        ({ columnName }) => !described.some((one) => one.columnName === columnName),
      ),
    ];
    return bestFirst(matches).slice(0, field === "column" ? maxColumns : maxColumnDescriptions);
  });
  return bestFirst(found).map(({ score: _score, ...match }) => match);
}

const bestFirst = <Match extends { readonly score: number }>(matches: readonly Match[]): Match[] =>
  matches.toSorted((one, other) => other.score - one.score);

type Range = CatalogMatch["ranges"][number];

/** In order and without overlaps. */
function rangesOf(matching: readonly { readonly word: Word; readonly term: Term }[]): Range[] {
  const ranges: Range[] = [];
  const sorted = matching
    .map(({ word, term }) => partOf(word, term))
    .toSorted((one, other) => one.start - other.start || one.end - other.end);
  for (const range of sorted) {
    const last = ranges.at(-1);
    if (last !== undefined && range.start < last.end) ranges[ranges.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    else ranges.push(range);
  }
  return ranges;
}

/** The part of a word that matches, or the whole word if it is compared in another length than it is written. */
function partOf({ word, start, end }: Word, { part }: Term): Range {
  const mark = word.startsWith(compoundMark) ? compoundMark.length : 0;
  const isAsWritten = end - start === word.length - mark;
  return isAsWritten ? { start: start + Math.max(0, part.start - mark), end: start + part.end - mark } : { start, end };
}

/** The part of a long text around its first match. */
function snippetOf(text: string, ranges: readonly Range[]): Pick<CatalogMatch, "text" | "ranges"> {
  const first = ranges[0]?.start ?? 0;
  if (text.length <= snippetCharacters) return { text, ranges: [...ranges] };
  const start = first + leadCharacters < snippetCharacters ? 0 : wordStart(text, first - leadCharacters);
  const end = Math.max(wordEnd(text, start + snippetCharacters), ranges[0]?.end ?? 0);
  const lead = start === 0 ? "" : "…";
  const shift = lead.length - start;
  return {
    text: lead + text.slice(start, end) + (end < text.length ? "…" : ""),
    ranges: ranges.filter((range) => range.end <= end).map((range) => ({ start: range.start + shift, end: range.end + shift })),
  };
}

/** The next start of a word, if there is one soon; never within a character. */
function wordStart(text: string, from: number): number {
  const space = text.slice(from, from + leadCharacters / 2).search(/\s\S/u);
  return space >= 0 ? from + space + 1 : isLowSurrogate(text, from) ? from + 1 : from;
}

function wordEnd(text: string, to: number): number {
  if (to >= text.length) return text.length;
  const space = text.slice(to - leadCharacters / 2, to).search(/\s\S*$/u);
  return space >= 0 ? to - leadCharacters / 2 + space : isLowSurrogate(text, to) ? to - 1 : to;
}

const isLowSurrogate = (text: string, index: number): boolean => /[\u{dc00}-\u{dfff}]/u.test(text[index] ?? "");
