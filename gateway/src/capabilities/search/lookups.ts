import type { LookupReport, lookupReportRequest, lookups } from "@fairway/contract/lookups";
import type { z } from "zod";
import type { Handlers } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { EngineFailed, type EngineCall, type LookupStep, type OtherTable } from "#query/engine.ts";
import { type LikelyKey, likelyKeys, sureLikeness } from "#query/likely-keys.ts";
import { type LookupTarget, keyProblem, lookupProblem } from "#query/lookup-rules.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import { Problems } from "./problems.ts";
import type { SearchParts } from "./service.ts";
import { type Narrowing, validateSearch } from "./validate.ts";

type Request = z.infer<typeof lookupReportRequest>;

/** Pairs of columns whose values are compared before a key is proposed. */
const maxProposals = 24;

export const lookupReports = ({ datasets, limits }: SearchParts): Pick<Handlers<typeof lookups>, "report"> => ({
  report: ({ user, params: { category, datasetId }, body, signal }) =>
    datasets.use(user, category, datasetId, (described) => {
      const dataset = described.deriving(body.search ?? {}, "search");
      const query = body.search === undefined ? everyRow(dataset) : validateSearch(dataset, body.search, limits).query;
      return report(dataset, body, query, callOf(user, signal));
    }),
});

const callOf = ({ id, username }: SignedInUser, signal: AbortSignal): EngineCall => ({ signal, owner: id, user: username });

const everyRow = ({ queryable }: SearchableDataset): Narrowing => ({ timeRange: null, area: null, conditions: queryable.ownConditions });

async function report(dataset: SearchableDataset, request: Request, query: Narrowing, call: EngineCall): Promise<LookupReport> {
  const { engine, queryable } = dataset;
  if (engine.lookupReport === undefined) {
    throw new Refusal("not-supported", "The service behind this dataset cannot look up columns.");
  }
  const target = requireTarget(dataset, request);
  const other: OtherTable = { dataset: queryableOf(target), match: request.match ?? "exact" };
  const key = validKey(dataset, target, request) ?? (await proposedKey(dataset, target, request, other, query, call));
  const columns = target.columns.filter(({ combined }) => combined === null).map(({ name }) => name);
  if (key === undefined) return { key: [], columns, values: 0, found: 0, complete: true, others: null, rows: [] };
  const found = await engine.lookupReport(queryable, { ...other, key }, query, call);
  return { ...found, columns, key: [...key], others: target.isWhole ? found.others : null };
}

function requireTarget({ queryable, other }: SearchableDataset, { dataset }: Request): LookupTarget {
  const target = other(dataset);
  if (target === undefined) {
    throw new Refusal("invalid-value", "There is no such dataset, or you don't have access to it.", { path: "dataset" });
  }
  const problem = lookupProblem(queryable.source, { ...target, id: dataset.datasetId });
  if (problem !== undefined) throw new Refusal(problem.code, problem.message, { path: "dataset" });
  return target;
}

function queryableOf(target: LookupTarget) {
  try {
    return target.queryable();
  } catch (error) {
    if (error instanceof EngineFailed) throw new Refusal("not-supported", error.message, { path: "dataset" });
    throw error;
  }
}

/** The key that was asked for. */
function validKey({ columns }: SearchableDataset, target: LookupTarget, { key, dataset }: Request): LookupStep["key"] | undefined {
  const problems = new Problems();
  for (const [index, pair] of (key ?? []).entries()) {
    const ours = columns.find(({ name, combined }) => name === pair.column && combined === null);
    const on = target.columns.find(({ name, combined }) => name === pair.on && combined === null);
    if (ours === undefined) problems.add("unknown-column", `There is no column '${pair.column}'.`, `key.${index}.column`);
    if (on === undefined) problems.add("unknown-column", `'${dataset.datasetId}' has no column '${pair.on}'.`, `key.${index}.on`);
    const problem = ours && on && keyProblem(ours, on);
    if (problem !== undefined) problems.add("invalid-value", problem, `key.${index}`);
  }
  problems.throwAny();
  return key;
}

/** The pair whose values are found most often, of those that are likely by names and types; a likely name alone if none is found. */
async function proposedKey(
  { columns, queryable, engine }: SearchableDataset,
  target: LookupTarget,
  { column }: Request,
  other: OtherTable,
  query: Narrowing,
  call: EngineCall,
): Promise<LookupStep["key"] | undefined> {
  const ours = column === undefined ? columns : columns.filter(({ name }) => name === column);
  const likely = likelyKeys(ours, target.columns, target.linked).slice(0, maxProposals);
  if (likely.length === 0) return undefined;
  const matches = (await engine.keyMatches?.(queryable, other, likely, query, call)) ?? [];
  const [best] = likely
    .map((pair, index) => ({ pair, score: scoreOf(pair, matches[index] ?? { values: 0, found: 0 }) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, two) => two.score - one.score);
  return best && [{ column: best.pair.column, on: best.pair.on }];
}

/** A likely name counts as much as some values that are found. */
const likenessShare = 0.1;

function scoreOf({ likeness }: LikelyKey, { values, found }: { readonly values: number; readonly found: number }): number {
  const share = values === 0 ? 0 : found / values;
  return share > 0 || likeness >= sureLikeness ? share + likeness * likenessShare : 0;
}
