import { formatCount } from "@fairway/contract/counts";
import type { DatasetRef } from "@fairway/contract/datasets";
import { type DataImport, type ImportDraft, imports, maxImportFiles } from "@fairway/contract/imports";
import { call } from "#lib/gateway/call.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import type { ChosenFile } from "#parts/file-upload/chosen-files.ts";
import { browserHints } from "#parts/reading/reading-words.ts";
import { importQuery } from "./queries.ts";
import { startSending } from "./send-import.ts";
import { versionOf } from "./sending.ts";

// Apart from the doors, which many screens have: this is loaded when the first file comes.

/** Starts an import of files of this device, and sends them. Rejects with the reason why it cannot be. */
export async function startWithFiles(chosen: readonly ChosenFile[], into: ImportDraft["into"]): Promise<DataImport> {
  if (chosen.length === 0) throw new Error("There are no files in what you dropped.");
  if (chosen.length > maxImportFiles) throw new Error(`A dataset can be made of at most ${formatCount(maxImportFiles)} files.`);
  const files = chosen.map(({ path, file }) => {
    if (typeof file === "string") throw new Error(`'${path}': ${file}`);
    return { path, file };
  });
  const listed = files.map(({ path, file }) => ({ file: path.normalize("NFC").slice(-255), size: file.size, version: versionOf(file) }));
  const data = await start({ files: listed, ...(into ? { into } : {}) });
  startSending(data, new Map(files.flatMap(({ file }, index) => (data.files[index] ? [[data.files[index].number, file]] : []))));
  return data;
}

/** Starts an import of files of a fileset. */
export const startWithFileset = (filesetId: string, files: readonly string[]): Promise<DataImport> =>
  start({ from: { filesetId, files: [...files] } });

/** Starts an import of the files that a dataset was made of. */
export const startReadingAgain = (dataset: DatasetRef): Promise<DataImport> => start({ into: { ...dataset, mode: "read-again" } });

async function start(draft: ImportDraft): Promise<DataImport> {
  const data = await call(imports.start, { body: { ...draft, hints: browserHints() } });
  queryClient.setQueryData(importQuery(data.id).queryKey, data);
  return data;
}
