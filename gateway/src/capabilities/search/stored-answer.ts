import { type AnswerStore, type Computed, explainedMemory } from "#query/answer-store.ts";
import type { BreakdownQuery } from "#query/breakdown.ts";
import type { EngineCall, GridQuery, QueryableDataset } from "#query/engine.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";

interface Request<Query, Answer> {
  readonly kind: "breakdown" | "grid";
  readonly query: Query;
  /** Computes it even where it is kept. */
  readonly fresh: boolean;
  readonly compute: (queryable: QueryableDataset, query: Query, call: EngineCall) => Promise<Answer>;
  /** About the bytes that an answer takes. */
  readonly sizeOf: (answer: Answer) => number;
  /** A sentence for users whose query takes more memory than the engine has. */
  readonly advice: string;
}

/** The answer of a query, of the store of answers if it has it. The engine stays open while others wait for the same query. */
export async function storedAnswer<Query extends BreakdownQuery | GridQuery, Answer>(
  answers: AnswerStore,
  { engine, queryable, keepOpen }: SearchableDataset,
  { kind, query, fresh, compute, sizeOf, advice }: Request<Query, Answer>,
  call: EngineCall,
): Promise<Computed<Answer>> {
  const state = (await engine.state?.(queryable, call)) ?? null;
  const run = (signal: AbortSignal): Promise<Answer> => {
    const answer = compute(queryable, query, { ...call, signal });
    keepOpen(answer);
    return answer;
  };
  try {
    return await answers.answer({ key: keyOf(kind, queryable, query, call), state, fresh }, call.signal, run, sizeOf);
  } catch (error) {
    throw explainedMemory(error, advice);
  }
}

/** The validated call as a text. Servers of tables may show each person other rows. */
const keyOf = (kind: string, { source, scope, columns, derived }: QueryableDataset, query: object, { user }: EngineCall): string =>
  JSON.stringify([kind, source, scope, columns, derived, source.kind === "table" ? (user ?? null) : null, query], (_, value: unknown) =>
    typeof value === "bigint" ? `${value}n` : value,
  );
