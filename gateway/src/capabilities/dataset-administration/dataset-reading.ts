import type { Column } from "@fairway/contract/columns";
import type { DatasetReading } from "@fairway/contract/dataset-administration";
import type { Entity } from "@fairway/contract/entities";
import { datasetSource, internalDataset } from "@fairway/contract/internal-datasets";
import { latitudeName, longitudeName } from "@fairway/contract/coordinate-names";
import type { ReadingChoices, ReadingHints, StoredReading } from "@fairway/contract/readings";
import { Refusal } from "#http/refusal.ts";
import type { EngineCall, QueryEngine } from "#query/engine.ts";
import { plainDataset, sampleOf } from "./inspect-source.ts";
import { requireConsistent, requireFitting } from "./reading-choices.ts";
import { mergeColumns } from "./schema-changes.ts";

export interface DatasetReadingParts {
  /** Refuses with not-found. */
  readonly datasets: { get(id: string): Promise<Entity> };
}

interface Parts extends DatasetReadingParts {
  readonly engine: Pick<QueryEngine, "reading" | "columns" | "sample">;
  readonly sampleRows: number;
}

/** The reading of the text files of a dataset, with the columns and rows that follow from it. Refuses datasets of other sources. */
export async function datasetReading(
  { datasets, engine, sampleRows }: Parts,
  id: string,
  { choices, hints }: { readonly choices?: ReadingChoices | undefined; readonly hints?: ReadingHints | undefined },
  call: EngineCall,
): Promise<DatasetReading> {
  requireConsistent(choices, "choices");
  const entity = await datasets.get(id);
  const { data: source } = datasetSource.safeParse(entity["source"]);
  if (source === undefined || source.kind !== "files" || source.format === "parquet") throw noText();
  const chosen = { ...source, choices, hints };
  const understood = await engine.reading?.(chosen, call);
  if (understood == null) throw noText();
  requireFitting(choices, understood.reading);
  const answer = { ...understood, differences: [...understood.differences], isStored: source.reading !== undefined };
  const { data: dataset } = internalDataset.safeParse(entity);
  if (dataset === undefined) return answer;
  const before = choices === undefined ? understood : await engine.reading?.({ ...source, hints }, call);
  const decided = decidedColumns(understood.stored, before?.stored);
  const found = await engine.columns(chosen, call);
  const { columns: merged, changes } = mergeColumns(dataset.schema.columns, found, decided);
  const columns = withLocations(merged, source.reading?.answers, choices);
  const plain = columns.filter(({ combined }) => combined === null);
  const sampled = plainDataset({ category: dataset.category, id, source: chosen, columns: plain });
  return { ...answer, columns, changes, sample: await sampleOf(engine, sampled, sampleRows, call) };
}

/** Columns that a person chose, or that the choices of a call read otherwise. */
function decidedColumns(now: StoredReading, before: StoredReading | undefined): ReadonlySet<string> {
  const known = new Map(before?.columns.map(({ name, type, format }) => [name, JSON.stringify([type, format])]));
  const isOther = ({ name, type, format }: StoredReading["columns"][number]) => known.get(name) !== JSON.stringify([type, format]);
  return new Set(now.columns.filter((column) => column.chosen === true || isOther(column)).map(({ name }) => name));
}

/** Swaps latitude and longitude if that is what a call answers. */
function withLocations(columns: Column[], stored: StoredReading["answers"], choices: ReadingChoices | undefined): Column[] {
  const answer = choices?.answers?.["swappedPlaces"];
  if (answer === undefined || (answer === "swap") === (stored?.["swappedPlaces"] === "swap")) return columns;
  return columns.map((column) => {
    const [first = "", second = "", ...others] = column.combined?.fields ?? [];
    const isLocation = [first, second].some((name) => latitudeName.test(name)) && [first, second].some((name) => longitudeName.test(name));
    return column.combined === null || !isLocation || others.length > 0
      ? column
      : { ...column, combined: { ...column.combined, fields: [second, first] } };
  });
}

const noText = () => new Refusal("not-supported", "Only datasets of CSV and JSON files have a reading.", { path: "id" });
