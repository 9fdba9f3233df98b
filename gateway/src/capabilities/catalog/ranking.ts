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
}

interface Candidate {
  readonly wanted: number;
  readonly id: string;
  readonly word: string;
  readonly stem: string;
  readonly same_stem: boolean;
  readonly is_stop: boolean;
}

/** Shorter words match from the start of a word only: nearly every word contains them. */
const minPartCharacters = 3;

export interface Searcher {
  readonly userId: string;
  /** Whether the database can find similar words. */
  readonly hasTrigrams: boolean;
}

/**
 * The words of the index that match each word: the word itself, others with its stem, words that start with it or contain it,
 * and words that it may be a typing error of. Words such as `the` are not required beside others.
 */
export async function findTerms(
  db: Kysely<Database>,
  words: readonly string[],
  { userId, hasTrigrams }: Searcher,
): Promise<{ readonly required: readonly number[]; readonly terms: readonly Term[] }> {
  const swaps = words.flatMap((word, wanted) => swapped(word).map((swap) => ({ wanted, swap })));
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
        and word.word not like '=%'
      union
      select query.wanted, word.id from query
      join catalog_words word on word.word >= '=' || query.word collate "C" and word.word < '=' || query.word || chr(1114111) collate "C"
        and length(word.word) <= length(query.word) * 1.5 + 1
      union
      select swap.wanted, word.id
      from unnest(${swaps.map(({ wanted }) => wanted)}::bigint[], ${swaps.map(({ swap }) => swap)}::text[]) as swap (wanted, word)
      join catalog_words word on word.stem = coalesce((ts_lexize('english_stem', swap.word))[1], swap.word) collate "C"
      ${similar}
    )
    select query.wanted::integer as wanted, word.id, word.word, word.stem, word.stem = query.stem collate "C" as same_stem, query.is_stop
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

function termOf(typed: string, { id, word, stem, wanted, same_stem }: Candidate): Term | undefined {
  // A word without any match.
  if (id === null) return undefined;
  if (word.startsWith(compoundMark)) return compoundTermOf(typed, { id, word, wanted });
  const whole = { start: 0, end: word.length };
  const start = word.indexOf(typed);
  const part = { start, end: start + typed.length };
  if (word === typed) return { id, wanted, word, quality: quality.exact, part: whole };
  if (start === 0) return { id, wanted, word, quality: quality.wordStart, part };
  if (same_stem) return { id, wanted, word, quality: quality.wordStart, part: whole };
  if (start > 0) return { id, wanted, word, quality: quality.wordPart, part };
  return isTypingError(typed, word) || isTypingError(typed, stem)
    ? { id, wanted, word, quality: quality.typingError, part: whole }
    : undefined;
}

/** A compound matches as a whole: what matches a part of it is found by that part. */
function compoundTermOf(typed: string, { id, word, wanted }: Pick<Candidate, "id" | "word" | "wanted">): Term | undefined {
  const whole = word.slice(compoundMark.length);
  const term = { id, wanted, word, part: { start: 0, end: word.length } };
  if (whole === typed) return { ...term, quality: quality.exact };
  if (whole.startsWith(typed) && whole.length <= typed.length * 1.5) return { ...term, quality: quality.wordStart };
  return isTypingError(typed, whole) ? { ...term, quality: quality.typingError } : undefined;
}

interface Score {
  readonly wanted: number;
  readonly id: number;
  readonly best: number;
  /** Only as a typing error. */
  readonly is_guess: boolean;
}

/**
 * The datasets, out of `allowed`, in which every required word matches, with a score. Datasets outside `allowed` have no
 * influence on it: there are no statistics over all texts.
 */
export async function rank(
  db: Kysely<Database>,
  words: readonly string[],
  { required, terms }: { readonly required: readonly number[]; readonly terms: readonly Term[] },
  allowed: readonly number[],
): Promise<Ranked[]> {
  const weights = [...indexedFields].sort((one, other) => one.code - other.code).map(({ weight }) => weight);
  const { rows } = await sql<Score>`
    select term.wanted, posting.dataset_id as id, max(term.quality * (${weights}::real[])[posting.field]) as best,
      max(term.quality) <= ${quality.typingError}::real as is_guess
    from unnest(${terms.map(({ wanted }) => wanted)}::integer[], ${terms.map(({ id }) => id)}::bigint[],
      ${terms.map((term) => term.quality)}::real[]) as term (wanted, word_id, quality)
    join catalog_postings posting on posting.word_id = term.word_id
    where posting.dataset_id = any(${allowed}::integer[])
    group by term.wanted, posting.dataset_id`.execute(db);
  const scores = new Map<number, Score[]>();
  const certain = new Set(rows.filter(({ is_guess }) => !is_guess).map(({ wanted }) => wanted));
  for (const row of rows) {
    const isDoubtful = row.is_guess && certain.has(row.wanted) && !isDistinct(words[row.wanted] ?? "");
    if (!isDoubtful) scores.set(row.id, [...(scores.get(row.id) ?? []), row]);
  }
  return Array.from(scores)
    .filter(([, found]) => required.every((wanted) => found.some((one) => one.wanted === wanted)))
    .map(([id, found]) => ({ id, score: found.reduce((sum, { best }) => sum + best, 0) }));
}
