import { boardLimits, type BoardPanel } from "@fairway/contract/boards";
import { Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "#ui/dialog.tsx";
import { SaveForm } from "#ui/save-form.tsx";
import { sameContent, useUnsavedChanges } from "#ui/unsaved-changes.tsx";

export interface PanelDialogProps {
  /** Null while the dialog is closed. */
  panel: BoardPanel | null;
  onClose: () => void;
  onDone: (panel: BoardPanel) => void;
}

/** The title of a panel, and the words of a text panel. */
export default function PanelDialog({ panel, onClose, onDone }: PanelDialogProps) {
  // Keeps the content while the dialog fades out.
  const [shown, setShown] = useState(panel);
  if (panel !== null && panel !== shown) setShown(panel);
  return (
    <Dialog opened={panel !== null} onClose={onClose} title={shown?.kind === "text" ? "Text Panel" : "Edit Panel"} size={560}>
      {shown && shown.kind !== "hidden" && <PanelForm key={shown.id} panel={shown} onClose={onClose} onDone={onDone} />}
    </Dialog>
  );
}

function PanelForm({ panel, onClose, onDone }: { panel: Exclude<BoardPanel, { kind: "hidden" }> } & Omit<PanelDialogProps, "panel">) {
  const [initial] = useState({ title: panel.title, text: panel.kind === "text" ? panel.text : "" });
  const [values, setValues] = useState(initial);
  useUnsavedChanges(!sameContent(values, initial));
  const isText = panel.kind === "text";
  const title = values.title.trim();
  return (
    <SaveForm
      canSave={isText ? title !== "" || values.text.trim() !== "" : title !== ""}
      saving={false}
      onSave={() => onDone(isText ? { ...panel, title, text: values.text } : { ...panel, title })}
      onCancel={onClose}
    >
      <TextInput
        label="Title"
        value={values.title}
        maxLength={boardLimits.titleCharacters}
        data-autofocus
        onChange={(event) => setValues({ ...values, title: event.currentTarget.value })}
      />
      {isText && (
        <Textarea
          label="Text"
          description="Markdown: **bold**, lists, links, tables."
          value={values.text}
          rows={8}
          maxLength={boardLimits.textCharacters}
          onChange={(event) => setValues({ ...values, text: event.currentTarget.value })}
        />
      )}
    </SaveForm>
  );
}
