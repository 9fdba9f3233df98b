import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { isDatasetDraft } from "#parts/dataset-form/dataset-draft.ts";
import { useDatasetForm } from "#parts/dataset-form/form-context.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { UnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { EditorProblems } from "../editor/editor-problem-list.tsx";
import { type EditorProblem, parseJson, problemsOf } from "../editor/editor-problems.ts";
import TextEditor, { type TextEditorHandle } from "../editor/editor-text.tsx";
import { routesOf } from "../entities/entity-calls.ts";
import classes from "../editor/editor.module.css";

const type = "datasets/internal";

/** The draft of the form as JSON. Taking it over saves nothing yet. */
export default function DatasetJsonDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { draft, replace } = useDatasetForm();
  const [initial] = useState(() => JSON.stringify(draft, null, 2));
  const [text, setText] = useState(initial);
  const editor = useRef<TextEditorHandle>(null);
  const { data: schema } = useQuery({
    queryKey: ["admin", type, "schema"],
    queryFn: ({ signal }) => call(routesOf({ type }).schema, {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { value, problem } = useMemo(() => parseJson(text), [text]);
  const problems = useMemo((): readonly EditorProblem[] => {
    if (problem) return [problem];
    const found = problemsOf(type, value, []);
    const id = typeof value === "object" && value !== null && "id" in value ? value.id : undefined;
    return id === draft.id ? found : [{ path: ["id"], message: "The id of a dataset cannot be changed." }, ...found];
  }, [problem, value, draft.id]);
  const isDraft = problem === null && isDatasetDraft(value) && value.id === draft.id;
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={`JSON of ${draft.id}`}
      size={920}
      fillsPhone
      closeOnClickOutside={false}
      // Escape closes the completions.
      closeOnEscape={false}
    >
      <UnsavedChanges when={text !== initial} />
      <div className={classes["body"]}>
        <TextEditor handle={editor} label="JSON" text={text} onChange={setText} problems={problems} schema={schema} />
        <EditorProblems problems={problems} onGoTo={(path) => editor.current?.goTo(path)} />
      </div>
      <div className={classes["footer"]}>
        <span />
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={!isDraft || text === initial}
          onClick={() => {
            if (isDraft) replace(value);
            onClose();
          }}
        >
          Take over
        </Button>
      </div>
    </Dialog>
  );
}
