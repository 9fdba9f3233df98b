import { boardLimits, type BoardPanel } from "@fairway/contract/boards";
import { Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { MarkColumnSelects } from "#features/search/map/mark-columns.tsx";
import { mapFieldsOf } from "#features/search/map/model/map-fields.ts";
import type { MarkColumns } from "#features/search/map/model/mark-choice.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { RestoredNote, useKeptDraft } from "#ui/kept-draft.tsx";
import { SaveForm } from "#ui/dialog/save-form.tsx";
import { sameContent, useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";

export interface PanelDialogProps {
  /** Null while the dialog is closed. */
  panel: BoardPanel | null;
  /** Names what is typed, which a reload does not lose. */
  draftName: string;
  onClose: () => void;
  onDone: (panel: BoardPanel) => void;
}

/** The title of a panel, the words of a text panel, and the columns that mark the items of a map. */
export default function PanelDialog({ panel, onClose, ...rest }: PanelDialogProps) {
  // Keeps the content while the dialog fades out.
  const [shown, setShown] = useState(panel);
  if (panel !== null && panel !== shown) setShown(panel);
  return (
    <Dialog opened={panel !== null} onClose={onClose} title={shown?.kind === "text" ? "Text Panel" : "Edit Panel"} size={560}>
      {shown && shown.kind !== "hidden" && <PanelForm key={shown.id} {...rest} panel={shown} onClose={onClose} />}
    </Dialog>
  );
}

function PanelForm({ panel, draftName, onClose, onDone }: { panel: EditablePanel } & Omit<PanelDialogProps, "panel">) {
  const [initial] = useState(() => valuesOf(panel));
  const kept = useKeptDraft(draftName, typedValues);
  const [values, setValues] = useState(kept ?? initial);
  useUnsavedChanges(!sameContent(values, initial), { draft: { name: draftName, value: values } });
  const isText = panel.kind === "text";
  const title = values.title.trim();
  return (
    <SaveForm
      canSave={isText ? title !== "" || values.text.trim() !== "" : title !== ""}
      saving={false}
      onSave={() => onDone(panelWith(panel, { ...values, title }))}
      onCancel={onClose}
    >
      <RestoredNote when={kept !== undefined} />
      <TextInput
        label="Title"
        value={values.title}
        maxLength={boardLimits.titleCharacters}
        data-autofocus
        onChange={(event) => setValues({ ...values, title: event.currentTarget.value })}
      />
      {panel.kind === "map" && <MapMarks panel={panel} value={values} onChange={(changed) => setValues({ ...values, ...changed })} />}
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

type EditablePanel = Exclude<BoardPanel, { kind: "hidden" }>;
type MapPanel = Extract<BoardPanel, { kind: "map" }>;

const typedValues = z.object({
  title: z.string(),
  text: z.string(),
  colorColumn: z.string().nullable(),
  sizeColumn: z.string().nullable(),
});
type Values = z.infer<typeof typedValues>;

function valuesOf(panel: EditablePanel): Values {
  const { colorBy = null, sizeBy = null } = panel.kind === "map" ? panel : {};
  return { title: panel.title, text: panel.kind === "text" ? panel.text : "", colorColumn: colorBy, sizeColumn: sizeBy };
}

function panelWith(panel: EditablePanel, { title, text, colorColumn, sizeColumn }: Values): EditablePanel {
  if (panel.kind === "text") return { ...panel, title, text };
  if (panel.kind !== "map") return { ...panel, title };
  return { ...panel, title, colorBy: colorColumn ?? undefined, sizeBy: sizeColumn ?? undefined };
}

/** Absent until the dataset's columns are known, and if they are not. */
function MapMarks({ panel, ...rest }: { panel: MapPanel; value: MarkColumns; onChange: (changed: Partial<MarkColumns>) => void }) {
  const { datasetCategory, datasetId } = panel.dataset;
  const { data: description } = useQuery(describeQuery(datasetCategory, datasetId));
  const fields = description && mapFieldsOf(description);
  if (!description || !fields) return null;
  return <MarkColumnSelects columns={description.schema.columns} fields={fields} {...rest} />;
}
