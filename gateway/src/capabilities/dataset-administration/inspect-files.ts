import { posix } from "node:path";
import { isBucketGlob } from "@fairway/contract/bucket-globs";
import { Refusal } from "#http/refusal.ts";
import type { Reading, ReadingChoices, ReadingHints } from "@fairway/contract/readings";
import { type DatasetSource, type EngineCall, EngineFailed, type QueryEngine, UnreadableData } from "#query/engine.ts";
import { type Buckets, sourceInBucket } from "./bucket-folder.ts";
import { sourceOf } from "./data-folder.ts";
import { requireConsistent, requireFitting } from "./reading-choices.ts";
import { type FoundDataset, asWords, idFromName, inspectSource } from "./inspect-source.ts";

export interface FileInspectionParts {
  readonly buckets: Buckets;
  readonly engine: Pick<QueryEngine, "columns" | "sample" | "suggest" | "inspect" | "notes" | "reading">;
  readonly dataFolder: string;
  readonly sampleRows: number;
}

export interface ReadingRequest {
  readonly choices?: ReadingChoices | undefined;
  readonly hints?: ReadingHints | undefined;
}

/** Proposes a dataset of a file or folder. Refuses paths outside of the data folder and of allowed buckets, and files that are no data. */
export async function inspectFiles(
  { engine, dataFolder, buckets, sampleRows }: FileInspectionParts,
  path: string,
  call: EngineCall,
  { choices, hints }: ReadingRequest = {},
): Promise<FoundDataset & { readonly files: number; readonly reading: Reading | null }> {
  requireConsistent(choices, "choices");
  const isInBucket = isBucketGlob(path);
  const { files, partitions, ...found } = isInBucket
    ? await sourceInBucket(buckets, path, call)
    : { partitions: [], ...(await sourceOf(dataFolder, path)) };
  // A path with a control character cannot be saved as a source.
  if (/\p{Cc}/u.test(found.glob)) {
    throw new Refusal("not-supported", "The name of the file or a folder contains a control character. Rename it to use it.", {
      path: "path",
    });
  }
  const source = { kind: "files" as const, ...found };
  const chosen: DatasetSource = { ...source, choices, hints };
  const location = isInBucket ? path.slice("s3://".length) : path;
  const name = { id: idFromPath(location), category: categoryOf(location), categoryIs: "folder" as const };
  try {
    const understood = (await engine.reading?.(chosen, call)) ?? null;
    if (understood !== null) requireFitting(choices, understood.reading);
    const isSwapped = choices?.answers?.["swappedPlaces"] === "swap";
    const stored = understood === null ? source : { ...source, reading: understood.stored };
    const proposal = await inspectSource(engine, { name, source: stored, readAs: chosen, partitions, sampleRows, isSwapped }, call);
    const described = proposal.dataset.schema.columns.filter(({ combined }) => combined === null);
    const unread = (await engine.inspect?.(chosen, described, call)) ?? [];
    const remarks = (await engine.notes?.(chosen, call)) ?? { notes: [], leftOut: [] };
    const notes = [...remarks.notes, ...proposal.notes];
    return {
      ...proposal,
      notes,
      problems: [...unread, ...remarks.leftOut, ...proposal.problems],
      files,
      reading: understood?.reading ?? null,
    };
  } catch (error) {
    // Files that do not have the format of their extension are an expected result, not a failure.
    // Of buckets, others say best themselves why.
    const isOfFiles = error instanceof EngineFailed && (error.reason === "failed" || error.reason === "not-ready");
    if (isOfFiles && (!isInBucket || error.cause instanceof UnreadableData || error.reason === "failed")) {
      const why = error.cause instanceof UnreadableData ? `: ${error.cause.detail}` : "";
      throw new Refusal("not-supported", `'${path}' cannot be read as ${formatNames[found.format]}${why}.`, { path: "path", cause: error });
    }
    throw error;
  }
}

const formatNames = { parquet: "Parquet", csv: "CSV", json: "JSON", xlsx: "XLSX" } as const;

/** The outermost folder of the data as a readable name; empty without a folder. */
function categoryOf(path: string): string {
  const [outermost = "", ...rest] = posix.normalize(path).split("/").filter(Boolean);
  return rest.length === 0 ? "" : asWords(outermost);
}

/** An id derived from the last segment of a path. */
const idFromPath = (path: string): string => idFromName(posix.basename(posix.normalize(path)).replace(/(\.[a-z]+){1,2}$/i, ""));
