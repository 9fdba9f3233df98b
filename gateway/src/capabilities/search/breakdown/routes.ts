import type { BreakdownAnswer, BreakdownRequest, breakdowns } from "@fairway/contract/breakdowns";
import type { Handlers } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import type { AnswerStore, Computed } from "#query/answer-store.ts";
import type { BreakdownResult, Figures } from "#query/breakdown.ts";
import type { EngineCall } from "#query/engine.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import { zoneData } from "#query/sql/zone-offsets.ts";
import type { DatasetPath, SearchParts } from "../service.ts";
import { storedAnswer } from "../stored-answer.ts";
import { answerSize } from "./answer-size.ts";
import { answerText } from "./answer-text.ts";
import { isoRange } from "./comparison.ts";
import { narrowedEntries } from "./narrow.ts";
import { type BreakdownLimits, type ValidBreakdown, validBreakdown } from "./valid-breakdown.ts";

type Parts = Pick<SearchParts, "datasets"> & { readonly limits: BreakdownLimits; readonly answers: AnswerStore };

/** Answers a breakdown, from the store of answers where it has it. Throws Refusal and EngineFailed. */
export type AnswerBreakdown = (
  user: SignedInUser,
  datasetPath: DatasetPath,
  request: BreakdownRequest,
  call: EngineCall,
) => Promise<BreakdownAnswer>;

export function breakdownAnswers({ datasets, limits, answers }: Parts): AnswerBreakdown {
  return (user, { category, datasetId }, request, call) =>
    datasets.use(user, category, datasetId, async (dataset) => {
      const searched = groupable(dataset).deriving(request.search, "search");
      const valid = validBreakdown(searched, request, limits);
      return answerOf(searched, valid, limits, await computed(searched, valid, request, call, answers));
    });
}

export function breakdownRoutes(
  { datasets, limits }: Pick<Parts, "datasets" | "limits">,
  answer: AnswerBreakdown,
): Handlers<typeof breakdowns> {
  return {
    run: async ({ user, params, body, signal }) => ({
      contentType: "application/json; charset=utf-8",
      chunks: answerText(await answer(user, params, body, callOf(user, signal))),
    }),
    explain: ({ user, params: { category, datasetId }, body, signal }) =>
      datasets.use(user, category, datasetId, async (dataset) => {
        const searched = groupable(dataset).deriving(body.search, "search");
        const { query } = validBreakdown(searched, body, limits);
        const explained = await searched.engine.explainBreakdown?.(searched.queryable, query, callOf(user, signal));
        const { engine = "", statements = [] } = explained ?? {};
        return { statements: statements.map((sql) => ({ sql, engine })) };
      }),
  };
}

const callOf = (user: SignedInUser, signal: AbortSignal): EngineCall => ({ signal, owner: user.id, user: user.username });

function groupable(dataset: SearchableDataset): SearchableDataset {
  if (dataset.engine.breakdown === undefined) throw new Refusal("not-supported", "The service behind this dataset cannot group rows.");
  return dataset;
}

function computed(
  dataset: SearchableDataset,
  { query }: ValidBreakdown,
  { fresh = false }: BreakdownRequest,
  call: EngineCall,
  answers: AnswerStore,
): Promise<Computed<BreakdownResult>> {
  const { engine } = dataset;
  const compute: NonNullable<typeof engine.breakdown> = (...asked) =>
    engine.breakdown?.(...asked) ?? Promise.reject(new Error("the engine has no breakdowns"));
  const advice = "Ask for estimates, or fewer percentiles and distinct counts.";
  return storedAnswer(answers, dataset, { kind: "breakdown", query, fresh, compute, sizeOf: answerSize, advice }, call);
}

function answerOf(
  dataset: SearchableDataset,
  { groupings, measures, query }: ValidBreakdown,
  { filterListValues }: BreakdownLimits,
  { answer: result, computedMs, durationMs }: Computed<BreakdownResult>,
): BreakdownAnswer {
  const by = result.axes.flatMap(({ found, failing, entries }, index): BreakdownAnswer["by"] => {
    const grouping = groupings[index];
    if (grouping === undefined) return [];
    const { id, column, axis } = grouping;
    const shown = {
      id,
      kind: axis.kind,
      column: column?.name ?? null,
      type: column?.type ?? null,
      ...(column?.unit ? { unit: column.unit } : {}),
    };
    return [{ ...shown, found, failing: { ...failing }, entries: narrowedEntries(dataset, grouping, entries, filterListValues) }];
  });
  return {
    by,
    measures: measures.map(({ id, unit, type }, index) => ({ id, unit, type, isEstimate: result.estimates[index] === true })),
    cells: result.cells.map(({ at, values, before }) => ({
      at: [...at],
      values: [...values],
      ...(before === undefined ? {} : { before: before && [...before] }),
    })),
    totals: result.totals && { all: totalOf(result.totals.all), axes: result.totals.axes.map((totals) => totals.map(totalOf)) },
    rows: result.rows,
    compare: query.before?.timeRange ? { timeRange: isoRange(query.before.timeRange) } : null,
    isCut: result.isCut,
    engine: result.engine,
    zoneData,
    computedMs,
    durationMs,
  };
}

const totalOf = ({ values, before }: Figures): NonNullable<BreakdownAnswer["totals"]>["all"] => ({
  values: [...values],
  ...(before ? { before: [...before] } : {}),
});
