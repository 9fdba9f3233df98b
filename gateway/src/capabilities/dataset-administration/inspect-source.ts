import type { InternalDataset } from "@fairway/contract/internal-datasets";
import { trimCharacters } from "@fairway/contract/trim-characters";
import type { DatasetSource, EngineCall, QueryEngine, QueryableDataset } from "#query/engine.ts";
import { type Proposal, type ProposedName, propose } from "./propose.ts";
import { Scope } from "#query/scope.ts";

export interface FoundDataset extends Proposal {
  readonly sample: Record<string, unknown>[];
}

interface Source {
  readonly name: ProposedName;
  readonly source: InternalDataset["source"];
  /** The same source with the choices of the call. Default: `source`. */
  readonly readAs?: DatasetSource;
  readonly partitions?: readonly string[];
  readonly sampleRows: number;
  /** Whether latitude and longitude are swapped in the data. */
  readonly isSwapped?: boolean;
}

/** Reads the columns and the first rows of a source, and proposes a dataset of it. Rejects with EngineFailed. */
export async function inspectSource(
  engine: Pick<QueryEngine, "columns" | "sample" | "suggest">,
  { name, source, readAs = source, partitions = [], sampleRows, isSwapped = false }: Source,
  call: EngineCall,
): Promise<FoundDataset> {
  const columns = await engine.columns(readAs, call);
  const dataset = plainDataset({ category: "", id: name.id, source: readAs, columns });
  const sample = await sampleOf(engine, dataset, sampleRows, call);
  const hasRepeatedValues = async (column: string): Promise<boolean> => {
    const request = { column, contains: "", rows: rowsForRepeats };
    const { values = [] } = (await engine.suggest?.(dataset, request, { timeRange: null, area: null, conditions: [] }, call)) ?? {};
    return values.some(({ rows }) => rows > 1);
  };
  return { ...(await propose(name, source, { columns, sample, partitions, hasRepeatedValues, isSwapped })), sample };
}

/** A dataset of nothing but these columns. */
export const plainDataset = (dataset: Pick<QueryableDataset, "category" | "id" | "source" | "columns">): QueryableDataset => ({
  ...dataset,
  temporalField: null,
  location: null,
  orderBy: [],
  scope: Scope.whole,
  ownConditions: [],
  features: new Set(),
});

/** The first rows of a dataset. */
export async function sampleOf(
  engine: Pick<QueryEngine, "sample">,
  dataset: QueryableDataset,
  limit: number,
  call: EngineCall,
): Promise<Record<string, unknown>[]> {
  const { chunks } = await engine.sample(dataset, { conditions: [], limit }, call);
  let text = "";
  for await (const chunk of chunks) text += chunk;
  return JSON.parse(`[${text}]`) as Record<string, unknown>[];
}

/** Number of rows in which to look for repeated values. */
const rowsForRepeats = 20_000;

/** A name as words: `storm_tracks` is `Storm tracks`. */
export function asWords(name: string): string {
  const words = name.replaceAll(/[-_]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** An id derived from a name. */
export const idFromName = (name: string): string =>
  trimCharacters(name.replaceAll(/[^\w-]+/g, "-"), "-")
    .toLowerCase()
    .slice(0, 100) || "data";
