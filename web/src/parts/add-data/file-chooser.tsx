import { Button } from "@mantine/core";
import { useRef } from "react";
import { type ChosenFile, chosenFiles } from "#parts/file-upload/chosen-files.ts";
import { acceptedFiles } from "./accepted-files.ts";

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
