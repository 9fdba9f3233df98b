import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { indexedFields, quality } from "./fields.ts";
import { compoundMark } from "./words.ts";
import { isDistinct, isTypingError, swapped } from "./typing-errors.ts";

/** A word of the index that matches a word of a search. */
export interface Term {
  readonly id: string;
  /** The position of the search's word. */
  readonly wanted: number;
  readonly word: string;
  readonly quality: number;
  /** The part of the word that matches; the whole word unless the search names a part of it. */
  readonly part: { readonly start: number; readonly end: number };
}

export interface Ranked {
  /** The number of the dataset in the index. */
  readonly id: number;
  readonly score: number;
  /** The positions of required words that do not match. */
  readonly missing: readonly number[];
}

interface Candidate {
  readonly wanted: number;
  readonly id: string;
  readonly word: string;
  readonly stem: string;
  readonly parts: string | null;
  readonly same_stem: boolean;
  readonly is_stop: boolean;
}

/** Shorter words match from the start of a word only: nearly every word contains them. */
const minPartCharacters = 3;

/** A shorter word of the index counts for a typed one that starts with it, such as `rain` for `rainfall`. */
const minShorterCharacters = 4;
const minCutCharacters = 3;

const shorterWords = (word: string): string[] =>
  Array.from({ length: Math.max(0, word.length - minCutCharacters - minShorterCharacters + 1) }, (_, index) =>
    word.slice(0, index + minShorterCharacters),
  );

export interface Searcher {
  readonly userId: string;
  /** Whether the database can find similar words. */
  readonly hasTrigrams: boolean;
}

/**
 * The words of the index that match each word: the word itself, others with its stem, words that start with it or contain it,
 * names in which it reaches from one part into the next, words that it may be a typing error of, and shorter words that it starts
 * with. Words such as `the` are not required beside others.
 */
export async function findTerms(
  db: Kysely<Database>,
  words: readonly string[],
  { userId, hasTrigrams }: Searcher,
): Promise<{ readonly required: readonly number[]; readonly terms: readonly Term[] }> {
  const swaps = words.flatMap((word, wanted) => swapped(word).map((swap) => ({ wanted, swap })));
  const shorter = words.flatMap((word, wanted) => shorterWords(word).map((start) => ({ wanted, start })));
  const similar = hasTrigrams
    ? sql`union select query.wanted, similar_id from query, catalog_similar_words(query.word, ${userId}) similar_id
          where length(query.word) >= 4`
    : sql``;
  const { rows } = await sql<Candidate>`
    with query as materialized (
      select wanted - 1 as wanted, word, coalesce((ts_lexize('english_stem', word))[1], word) as stem,
        ts_lexize('english_stem', word) = '{}' as is_stop
      from unnest(${words}::text[]) with ordinality as query (word, wanted)
    ), candidate (wanted, id) as (
      select query.wanted, word.id from query join catalog_words word on word.stem = query.stem collate "C"
      union
      select query.wanted, word.id from query
      join catalog_words word on word.word >= query.word collate "C" and word.word < query.word || chr(1114111) collate "C"
      union
      select query.wanted, word.id from query
      join catalog_words word on length(query.word) >= ${minPartCharacters} and word.word like '%' || query.word || '%'
        and (word.word not like '=%' or word.parts not like '%' || query.word || '%')
      union
      select query.wanted, word.id from query
      join catalog_words word on word.word >= '=' || query.word collate "C" and word.word < '=' || query.word || chr(1114111) collate "C"
        and length(word.word) <= length(query.word) * 1.5 + 1
      union
      select swap.wanted, word.id
      from unnest(${swaps.map(({ wanted }) => wanted)}::bigint[], ${swaps.map(({ swap }) => swap)}::text[]) as swap (wanted, word)
      join catalog_words word on word.stem = coalesce((ts_lexize('english_stem', swap.word))[1], swap.word) collate "C"
      union
      select shorter.wanted, word.id
      from unnest(${shorter.map(({ wanted }) => wanted)}::bigint[], ${shorter.map(({ start }) => start)}::text[]) as shorter (wanted, word)
      join catalog_words word on word.word = shorter.word collate "C"
      ${similar}
    )
    select query.wanted::integer as wanted, word.id, word.word, word.stem, word.parts, word.stem = query.stem collate "C" as same_stem, query.is_stop
    from query
    left join candidate on candidate.wanted = query.wanted
    left join catalog_words word on word.id = candidate.id and (word.user_id is null or word.user_id = ${userId})`.execute(db);
  const stops = new Set(rows.filter(({ is_stop }) => is_stop).map(({ wanted }) => wanted));
  const all = words.map((_word, index) => index);
  const required = all.filter((wanted) => !stops.has(wanted));
  return {
    required: required.length === 0 ? all : required,
    terms: rows.flatMap((row) => termOf(words[row.wanted] ?? "", row) ?? []),
  };
}

function termOf(typed: string, { id, word, stem, parts, wanted, same_stem }: Candidate): Term | undefined {
  // A word without any match.
  if (id === null) return undefined;
  if (word.startsWith(compoundMark)) return compoundTermOf(typed, { id, word, parts, wanted });
  const whole = { start: 0, end: word.length };
  const start = word.indexOf(typed);
  const part = { start, end: start + typed.length };
  if (word === typed) return { id, wanted, word, quality: quality.exact, part: whole };
  if (start === 0) return { id, wanted, word, quality: quality.wordStart, part };
  if (same_stem) return { id, wanted, word, quality: quality.wordStart, part: whole };
  if (start > 0) return { id, wanted, word, quality: quality.wordPart, part };
  if (isTypingError(typed, word) || isTypingError(typed, stem)) return { id, wanted, word, quality: quality.typingError, part: whole };
  return shorterWords(typed).includes(word) ? { id, wanted, word, quality: quality.shorterWord, part: whole } : undefined;
}

/** A compound matches as a whole or across its parts: what matches within a part is found by that part. */
function compoundTermOf(typed: string, { id, word, parts, wanted }: Pick<Candidate, "id" | "word" | "parts" | "wanted">): Term | undefined {
  const whole = word.slice(compoundMark.length);
  const term = { id, wanted, word, part: { start: 0, end: word.length } };
  if (whole === typed) return { ...term, quality: quality.exact };
  if (whole.startsWith(typed) && whole.length <= typed.length * 1.5) return { ...term, quality: quality.wordStart };
  const start = typed.length < minPartCharacters || parts === null || parts.includes(typed) ? -1 : whole.indexOf(typed);
  if (start >= 0) {
    const part = { start: start + compoundMark.length, end: start + compoundMark.length + typed.length };
    return { ...term, quality: start === 0 ? quality.wordStart : quality.wordPart, part };
  }
  return isTypingError(typed, whole) ? { ...term, quality: quality.typingError } : undefined;
}

interface Score {
  readonly wanted: number;
  readonly id: number;
  readonly best: number;
  /** The best quality of a match. */
  readonly quality: number;
}

/**
 * The datasets, out of `allowed`, in which every required word matches, with a score; if there are none, those in which the most
 * words match. Datasets outside `allowed` have no influence on it: there are no statistics over all texts.
 */
export async function rank(
  db: Kysely<Database>,
  words: readonly string[],
  { required, terms }: { readonly required: readonly number[]; readonly terms: readonly Term[] },
  allowed: readonly number[],
  withheld: WithheldColumns = new Map(),
): Promise<Ranked[]> {
  const weights = [...indexedFields].sort((one, other) => one.code - other.code).map(({ weight }) => weight);
  const { rows } = await sql<Score>`
    select term.wanted, posting.dataset_id as id, max(term.quality * (${weights}::real[])[posting.field]) as best,
      max(term.quality) as quality
    from unnest(${terms.map(({ wanted }) => wanted)}::integer[], ${terms.map(({ id }) => id)}::bigint[],
      ${terms.map((term) => term.quality)}::float8[]) as term (wanted, word_id, quality)
    join catalog_postings posting on posting.word_id = term.word_id
    where posting.dataset_id = any(${allowed}::integer[])${isNotOnlyIn(withheld)}
    group by term.wanted, posting.dataset_id`.execute(db);
  const bestQualities = new Map<number, number>();
  for (const { wanted, quality: one } of rows) bestQualities.set(wanted, Math.max(one, bestQualities.get(wanted) ?? 0));
  const scores = new Map<number, Score[]>();
  for (const row of rows) {
    if (counts(row, words[row.wanted] ?? "", bestQualities.get(row.wanted) ?? 0)) scores.set(row.id, [...(scores.get(row.id) ?? []), row]);
  }
  const ranked = Array.from(scores, ([id, found]) => ({
    id,
    score: found.reduce((sum, { best }) => sum + best, 0),
    missing: required.filter((wanted) => !found.some((one) => one.wanted === wanted)),
  }));
  const complete = ranked.filter(({ missing }) => missing.length === 0);
  return complete.length > 0 ? complete : closest(ranked, words, required);
}

/** The columns that the caller does not have, by the number of their dataset. */
export type WithheldColumns = ReadonlyMap<number, readonly string[]>;

/** Words that occur in withheld columns alone do not occur. */
function isNotOnlyIn(withheld: WithheldColumns) {
  if (withheld.size === 0) return sql``;
  const columns = [...withheld.values()].map((names) => JSON.stringify(names));
  return sql` and (posting.columns is null or not exists (
      select from unnest(${[...withheld.keys()]}::integer[], ${columns}::jsonb[]) as withheld (dataset_id, columns)
      where withheld.dataset_id = posting.dataset_id and posting.columns <@ withheld.columns))`;
}

/** Whether a match counts beside the best one of its word: guesses count less often. */
function counts({ quality: one }: Score, word: string, best: number): boolean {
  if (one > quality.typingError || one === best) return true;
  return one === quality.typingError && isDistinct(word);
}

/** Those with the most words. A word that is too short to name anything counts only beside others. */
function closest(ranked: readonly Ranked[], words: readonly string[], required: readonly number[]): Ranked[] {
  const matched = ({ missing }: Ranked): number =>
    required.filter((wanted) => !missing.includes(wanted) && (words[wanted] ?? "").length >= minPartCharacters).length;
  const most = Math.max(0, ...ranked.map(matched));
  return most === 0 ? [] : ranked.filter((one) => matched(one) === most);
}
