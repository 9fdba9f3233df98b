import { Button } from "@mantine/core";
import { useRef } from "react";
import { type ChosenFile, chosenFiles } from "#parts/file-upload/chosen-files.ts";

/** Kinds of files that can be read. A phone offers its files then, and no photos. */
export const acceptedFiles =
  ".csv,.tsv,.tab,.txt,.json,.jsonl,.ndjson,.geojson,.parquet,.xlsx,.zip,.gz,text/csv,text/tab-separated-values,application/json,application/geo+json,application/zip,application/gzip,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

interface Props {
  label: string;
  isPrimary?: boolean;
  isDisabled?: boolean;
  onFiles: (files: readonly ChosenFile[]) => void;
}

/** A button that chooses files of this device. */
export function FileChooser({ label, isPrimary = false, isDisabled = false, onFiles }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        accept={acceptedFiles}
        className="visually-hidden"
        tabIndex={-1}
        aria-label="Files with data"
        onChange={(event) => {
          const files = chosenFiles(event.currentTarget.files);
          // The same files can be chosen again.
          event.currentTarget.value = "";
          if (files.length > 0) onFiles(files);
        }}
      />
      <Button {...(isPrimary ? {} : { variant: "default" })} disabled={isDisabled} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  );
}
