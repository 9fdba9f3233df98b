import type { DatasetReading } from "@fairway/contract/dataset-administration";
import { datasetSource } from "@fairway/contract/internal-datasets";
import type { ReadingChoices, ReadingHints } from "@fairway/contract/readings";
import type { Entity } from "@fairway/contract/entities";
import { Refusal } from "#http/refusal.ts";
import type { EngineCall, QueryEngine } from "#query/engine.ts";
import { requireFitting } from "./reading-choices.ts";

export interface DatasetReadingParts {
  /** Refuses with not-found. */
  readonly datasets: { get(id: string): Promise<Entity> };
}

/** What is understood of the text files of a dataset. Refuses datasets of other sources. */
export async function datasetReading(
  { datasets, engine }: DatasetReadingParts & { readonly engine: Pick<QueryEngine, "reading"> },
  id: string,
  { choices, hints }: { readonly choices?: ReadingChoices | undefined; readonly hints?: ReadingHints | undefined },
  call: EngineCall,
): Promise<DatasetReading> {
  const { data: source } = datasetSource.safeParse((await datasets.get(id))["source"]);
  if (source === undefined || source.kind !== "files" || source.format === "parquet") throw noText();
  const understood = await engine.reading?.({ ...source, choices, hints }, call);
  if (understood == null) throw noText();
  requireFitting(choices, understood.reading);
  return { ...understood, differences: [...understood.differences], isStored: source.reading !== undefined };
}

const noText = () => new Refusal("not-supported", "Only datasets of CSV and JSON files have a reading.", { path: "id" });
