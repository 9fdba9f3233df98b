import { joltTrial } from "@fairway/contract/jolt";
import { Button } from "@mantine/core";
import { useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { confirmDiscard, UnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { parseJson } from "./editor-problems.ts";
import TextEditor from "./editor-text.tsx";
import type { EntityDialogProps, RowDialog } from "../entities/entity-dialog.ts";
import { SaveFailure } from "./save-failure.tsx";
import classes from "./editor.module.css";

const emptyInput = "{\n  \n}";

/** Tries a Jolt specification on an input. Nothing is stored. */
export default function JoltDialog({ dialog: { entity, id }, opened, onClose }: EntityDialogProps<RowDialog>) {
  const [input, setInput] = useState(emptyInput);
  const isDirty = input !== emptyInput;
  const close = async () => {
    if (!isDirty || (await confirmDiscard([]))) onClose();
  };
  const [output, setOutput] = useState("");
  const [failure, setFailure] = useState<{ title: string; messages: readonly string[] } | null>(null);
  const parsed = parseJson(input);
  const run = async () => {
    setFailure(null);
    try {
      const result = await call(joltTrial.run, { body: { joltSpec: entity["joltSpec"], input: parsed.value } });
      setOutput(JSON.stringify(result.output, null, 2));
    } catch (error) {
      setOutput("");
      setFailure({ title: "The input could not be transformed", messages: messagesOf(error) });
    }
  };
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={`Try ${id}`}
      size={1080}
      fillsPhone
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <UnsavedChanges when={isDirty} />
      <div className={classes["panes"]}>
        <section aria-label="Input">
          <h3>Input</h3>
          <TextEditor
            label="Input"
            text={input}
            onChange={setInput}
            problems={parsed.problem ? [parsed.problem] : noProblems}
            schema={undefined}
          />
        </section>
        <section aria-label="Output">
          <h3>Output</h3>
          <TextEditor label="Output" text={output} onChange={setOutput} problems={noProblems} schema={undefined} readOnly />
        </section>
      </div>
      <SaveFailure failure={failure} />
      <div className={classes["footer"]}>
        <span className={classes["note"]} role="status">
          {parsed.problem?.message}
        </span>
        <Button variant="default" onClick={() => void close()}>
          Close
        </Button>
        <Button disabled={parsed.problem !== null} onClick={() => void run()}>
          Transform
        </Button>
      </div>
    </Dialog>
  );
}
const noProblems: [] = [];
