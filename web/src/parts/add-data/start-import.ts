import type { DatasetRef } from "@fairway/contract/datasets";
import type { DataImport, ImportInto } from "@fairway/contract/imports";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useRef } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import type { ChosenFile } from "#parts/file-upload/chosen-files.ts";
import { clearRefusal, refuseStart } from "./start-refusal.ts";

export interface StartOptions {
  /** The dataset that the files are added to, or replace. */
  into?: ImportInto | undefined;
  /** The category of an ordinary dataset, which administrators make. */
  category?: string | undefined;
}

/** Starts an import and shows its screen, while the files are sent. What is refused stands in the page, or is a toast. */
export function useStartImport(): {
  ofFiles: (files: readonly ChosenFile[], options?: StartOptions) => void;
  ofFileset: (filesetId: string, files: readonly string[]) => void;
  /** Of the files that a dataset was made of, to change how they are read. */
  readAgain: (dataset: DatasetRef) => void;
} {
  const navigate = useNavigate();
  const isStarting = useRef(false);
  const show = useCallback(
    async (start: () => Promise<DataImport>, category?: string) => {
      // A second drop while the first one starts would make two datasets.
      if (isStarting.current) return;
      isStarting.current = true;
      clearRefusal();
      try {
        const { id: importId } = await start();
        const search = category === undefined ? {} : { search: { category } };
        void navigate({ to: "/add-data/$importId", params: { importId }, ...search });
      } catch (error) {
        refuseStart(messagesOf(error).join(" "));
      }
      isStarting.current = false;
    },
    [navigate],
  );
  const ofFiles = useCallback(
    (chosen: readonly ChosenFile[], { into, category }: StartOptions = {}) =>
      void show(async () => (await import("./start-call.ts")).startWithFiles(chosen, into), category),
    [show],
  );
  const ofFileset = useCallback(
    (filesetId: string, files: readonly string[]) =>
      void show(async () => (await import("./start-call.ts")).startWithFileset(filesetId, files)),
    [show],
  );
  const readAgain = useCallback(
    (dataset: DatasetRef) => void show(async () => (await import("./start-call.ts")).startReadingAgain(dataset)),
    [show],
  );
  return { ofFiles, ofFileset, readAgain };
}
