import { type ImportDraft, type ImportInto, imports, maxImportFiles } from "@fairway/contract/imports";
import { formatCount } from "@fairway/contract/counts";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useRef } from "react";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import type { ChosenFile } from "#parts/file-upload/chosen-files.ts";
import { browserHints } from "#parts/reading/reading-words.ts";
import { toastError } from "#ui/toast/toast.ts";
import { importQuery } from "./queries.ts";
import { startSending } from "./sending.ts";

export interface StartOptions {
  /** The dataset that the files are added to, or replace. */
  into?: ImportInto | undefined;
  /** The category of an ordinary dataset, which administrators make. */
  category?: string | undefined;
}

/** The version of a chosen file: an upload continues only with the same. */
export const versionOf = (file: File): string => String(file.lastModified);

/** Starts an import and shows its screen, while the files are sent. What is refused is a toast. */
export function useStartImport(): {
  ofFiles: (files: readonly ChosenFile[], options?: StartOptions) => void;
  ofFileset: (filesetId: string, files: readonly string[]) => void;
} {
  const navigate = useNavigate();
  const isStarting = useRef(false);
  const start = useCallback(
    async (draft: ImportDraft, files: readonly File[], { into, category }: StartOptions) => {
      // A second drop while the first one starts would make two datasets.
      if (isStarting.current) return;
      isStarting.current = true;
      try {
        const data = await call(imports.start, { body: { ...draft, hints: browserHints(), ...(into ? { into } : {}) } });
        queryClient.setQueryData(importQuery(data.id).queryKey, data);
        if (files.length > 0) startSending(data, new Map(data.files.map(({ number }, index) => [number, files[index] as File])));
        void navigate({
          to: "/add-data/$importId",
          params: { importId: data.id },
          ...(category === undefined ? {} : { search: { category } }),
        });
      } catch (error) {
        toastError("No data could be added", messagesOf(error).join(" "));
      }
      isStarting.current = false;
    },
    [navigate],
  );
  const ofFiles = useCallback(
    (chosen: readonly ChosenFile[], options: StartOptions = {}) => {
      const problem = problemOf(chosen);
      if (problem !== null) return toastError("No data could be added", problem);
      const files = chosen.flatMap(({ path, file }) => (typeof file === "string" ? [] : [{ path, file }]));
      const listed = files.map(({ path, file }) => ({
        file: path.normalize("NFC").slice(-255),
        size: file.size,
        version: versionOf(file),
      }));
      void start(
        { files: listed },
        files.map(({ file }) => file),
        options,
      );
    },
    [start],
  );
  const ofFileset = useCallback(
    (filesetId: string, files: readonly string[]) => void start({ from: { filesetId, files: [...files] } }, [], {}),
    [start],
  );
  return { ofFiles, ofFileset };
}

function problemOf(chosen: readonly ChosenFile[]): string | null {
  if (chosen.length === 0) return "There are no files in what you dropped.";
  if (chosen.length > maxImportFiles) return `A dataset can be made of at most ${formatCount(maxImportFiles)} files.`;
  const [unreadable] = chosen.flatMap(({ path, file }) => (typeof file === "string" ? [`'${path}': ${file}`] : []));
  return unreadable ?? null;
}
