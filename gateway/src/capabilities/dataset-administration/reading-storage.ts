import { isJsonObject } from "@fairway/contract/json";
import { datasetSource } from "@fairway/contract/internal-datasets";
import type { DateOrder, StoredReading } from "@fairway/contract/readings";
import type { Engines } from "#query/engines.ts";
import { EngineFailed } from "#query/engine.ts";
import { requireConsistent } from "./reading-choices.ts";

type Draft = Readonly<Record<string, unknown>>;

/** A dataset with how its text files are read; unchanged without a reading. */
export function withReading<Body extends Draft>(dataset: Body, reading: StoredReading | undefined): Body {
  const { source } = dataset;
  return reading === undefined || !isJsonObject(source) ? dataset : { ...dataset, source: { ...source, reading } };
}

/** A save does not wait longer for the files to be read; the next one stores the reading then. */
const waitMs = 3_000;

/**
 * Adds to a dataset that is about to be saved how its text files are read, if it does not say so and they can be read.
 * `isTaken`: whether all gateways know such datasets. `dateOrder`: the order of days and months that is set for the portal.
 */
export const storeReading =
  (engines: Engines, isTaken: () => Promise<boolean>, dateOrder: () => Promise<DateOrder | null> = () => Promise.resolve(null)) =>
  async (dataset: Draft): Promise<Draft> => {
    const { data: source } = datasetSource.safeParse(dataset["source"]);
    if (source === undefined || source.kind !== "files" || source.format === "parquet") return dataset;
    if (source.reading !== undefined) {
      const { dateOrder, decimalMark, encoding, answers } = source.reading;
      requireConsistent({ dateOrder, decimalMark, encoding, answers }, "source.reading");
      return dataset;
    }
    if (!(await isTaken())) return dataset;
    try {
      const { engine, release } = await engines.lease(source);
      try {
        const understood = await engine.reading?.(
          { ...source, hints: { dateOrder: await dateOrder() } },
          { signal: AbortSignal.timeout(waitMs), owner: "portal" },
        );
        return withReading(dataset, understood?.stored);
      } finally {
        release();
      }
    } catch (error) {
      // Files that are missing or busy are no reason to refuse the dataset: its warnings say so.
      if (error instanceof EngineFailed) return dataset;
      throw error;
    }
  };
