import { IconFileUpload } from "#ui/icons/file-upload.ts";
import { useId, useRef, useState } from "react";
import { sizeText } from "#lib/text/size-text.ts";
import { type FlowFile, type FlowFileProblem, flowFileEndings, readFlowFile } from "./read-flow-file.ts";
import classes from "./flows.module.css";

interface Props {
  label: string;
  value: FlowFile | null;
  /** Called with null when a file is chosen that cannot be used. */
  onChange: (file: FlowFile | null) => void;
  disabled?: boolean;
}

/** Chooses a file with the content of a flow, by the file dialog or by dropping it. A file that cannot be used says why. */
export function FlowFileInput({ label, value, onChange, disabled = false }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef<File | null>(null);
  const [problem, setProblem] = useState<FlowFileProblem | null>(null);

  async function choose(file: File | undefined): Promise<void> {
    if (!file || disabled) return;
    latest.current = file;
    const read = await readFlowFile(file);
    // Another file has been chosen while this one was read.
    if (latest.current !== file) return;
    const isProblem = "title" in read;
    setProblem(isProblem ? read : null);
    onChange(isProblem ? null : read);
  }

  return (
    <div className={classes["field"]}>
      <label htmlFor={id}>
        {label}
        <span aria-hidden>{" *"}</span>
      </label>
      <input
        ref={input}
        id={id}
        type="file"
        accept={flowFileEndings}
        aria-required
        aria-invalid={problem !== null || undefined}
        aria-describedby={`${id}-state`}
        disabled={disabled}
        className={classes["input"]}
        onChange={(event) => {
          void choose(event.currentTarget.files?.[0]);
          // So that the same file can be chosen again after it was changed.
          event.currentTarget.value = "";
        }}
      />
      <div
        className={classes["drop"]}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void choose(event.dataTransfer.files[0]);
        }}
      >
        <button type="button" tabIndex={-1} aria-hidden disabled={disabled} onClick={() => input.current?.click()}>
          <IconFileUpload size={20} aria-hidden />
          {value ? "Choose a different file" : "Drop a file here, or choose one"}
        </button>
      </div>
      <p id={`${id}-state`} className={classes["note"]}>
        {value ? `${value.name}, ${sizeText(value.bytes)}` : "A NiFi flow as JSON, XML or YAML, under 5MB."}
      </p>
      {problem && (
        <p role="alert" className={classes["problem"]}>
          <strong>{problem.title}</strong> {problem.detail}
        </p>
      )}
    </div>
  );
}
