import type { DataImport, ImportFile } from "@fairway/contract/imports";
import { pluralize } from "@fairway/contract/counts";
import { useState } from "react";
import { sizeText } from "#lib/text/size-text.ts";
import { isIncomplete, receivedBytes, useSending, versionOf } from "#parts/add-data/sending.ts";
import { FileChooser } from "#parts/add-data/file-chooser.tsx";
import type { ChosenFile } from "#parts/file-upload/chosen-files.ts";
import { useFileDrop } from "#parts/file-upload/use-file-drop.ts";
import classes from "./add-data.module.css";

/** Asks for files that have not arrived completely: a page that was reloaded, or another browser, does not have them. */
export function ChooseAgain({ data }: { data: DataImport }) {
  const sending = useSending(({ imports }) => imports[data.id]);
  const [problem, setProblem] = useState<string | null>(null);
  const missing = data.files.filter(isIncomplete);
  const take = (chosen: readonly ChosenFile[]) => {
    const found = new Map(missing.flatMap((file) => matching(file, chosen)));
    if (found.size < missing.length) return setProblem(problemOf(missing, chosen));
    setProblem(null);
    // Loaded with the first file that is sent.
    void import("#parts/add-data/send-import.ts").then(({ startSending }) => startSending(data, found));
  };
  const { isOver, dropProps } = useFileDrop(take);
  const isSending = sending !== undefined && sending.failure === null;
  if (data.status !== "uploading" || isSending || missing.length === 0) return null;
  const [first] = missing;
  const received = data.files.reduce((sum, file) => sum + receivedBytes(file), 0);
  const size = data.files.reduce((sum, file) => sum + file.size, 0);
  const what = missing.length === 1 && first ? `'${first.file}'` : pluralize(missing.length, "file");
  return (
    <div className={classes["question"]} data-over={isOver || undefined} data-question="files" {...dropProps}>
      {sending?.failure && (
        <p role="alert">
          <b>The file could not be sent.</b> {sending.failure.join(" ")}
        </p>
      )}
      <p>{`${sizeText(received)} of ${sizeText(size)} have arrived. Choose ${what} again to send the rest.`}</p>
      {problem !== null && <p role="alert">{problem}</p>}
      <FileChooser label={missing.length === 1 ? "Choose the file" : "Choose the files"} onFiles={take} />
    </div>
  );
}

/** The chosen file of this name, size and version. */
function matching({ number, file, size, version }: ImportFile, chosen: readonly ChosenFile[]): [number, File][] {
  return chosen.flatMap(({ path, file: one }) => {
    if (typeof one === "string" || one.size !== size) return [];
    const isNamed = path.normalize("NFC") === file || one.name.normalize("NFC") === file.slice(file.lastIndexOf("/") + 1);
    return isNamed && (version === undefined || version === null || version === versionOf(one)) ? [[number, one] as [number, File]] : [];
  });
}

function problemOf(missing: readonly ImportFile[], chosen: readonly ChosenFile[]): string {
  const lacking = missing.find((file) => matching(file, chosen).length === 0);
  if (lacking === undefined) return "";
  const isNamed = chosen.some(({ path }) => path.endsWith(lacking.file));
  return isNamed
    ? `'${lacking.file}' has changed since it was chosen first. Cancel, and add it anew.`
    : `Choose '${lacking.file}' of ${sizeText(lacking.size)}.`;
}
