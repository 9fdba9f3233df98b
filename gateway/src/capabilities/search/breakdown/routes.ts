import type { BreakdownAnswer, BreakdownRequest, breakdowns } from "@fairway/contract/breakdowns";
import type { Handlers, SignedInUser } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { Figures } from "#query/breakdown.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import type { SearchParts } from "../service.ts";
import { answerText } from "./answer-text.ts";
import { isoRange } from "./comparison.ts";
import { zoneData } from "#query/sql/zone-offsets.ts";
import { narrowedEntries } from "./narrow.ts";
import { type BreakdownLimits, validBreakdown } from "./valid-breakdown.ts";

type Parts = Pick<SearchParts, "datasets"> & { readonly limits: BreakdownLimits };

export const breakdownRoutes = ({ datasets, limits }: Parts): Handlers<typeof breakdowns> => ({
  run: async ({ user, params: { category, datasetId }, body, signal }) => {
    const answer = await datasets.use(user, category, datasetId, (dataset) => breakDown(dataset, limits, user, body, signal));
    return { contentType: "application/json; charset=utf-8", chunks: answerText(answer) };
  },
});

async function breakDown(
  dataset: SearchableDataset,
  limits: BreakdownLimits,
  user: SignedInUser,
  request: BreakdownRequest,
  signal: AbortSignal,
): Promise<BreakdownAnswer> {
  const { engine, queryable } = dataset;
  if (engine.breakdown === undefined) throw new Refusal("not-supported", "The service behind this dataset cannot group rows.");
  const { groupings, measures, query } = validBreakdown(dataset, request, limits);
  const startedMs = performance.now();
  const { axes, estimates, ...result } = await engine.breakdown(queryable, query, { signal, owner: user.id, user: user.username });
  const by = axes.flatMap(({ found, failing, entries }, index): BreakdownAnswer["by"] => {
    const [grouping, axis] = [groupings[index], query.axes[index]];
    if (grouping === undefined || axis === undefined) return [];
    const { id, column } = grouping;
    const shown = {
      id,
      kind: axis.kind,
      column: column?.name ?? null,
      type: column?.type ?? null,
      ...(column?.unit ? { unit: column.unit } : {}),
    };
    return [{ ...shown, found, failing: { ...failing }, entries: narrowedEntries(dataset, grouping, entries, limits.filterListValues) }];
  });
  return {
    by,
    measures: measures.map(({ id, unit, type }, index) => ({ id, unit, type, isEstimate: estimates[index] === true })),
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
    computedMs: Date.now(),
    durationMs: Math.round(performance.now() - startedMs),
  };
}

const totalOf = ({ values, before }: Figures): NonNullable<BreakdownAnswer["totals"]>["all"] => ({
  values: [...values],
  ...(before ? { before: [...before] } : {}),
});
