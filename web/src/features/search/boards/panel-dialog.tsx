import { boardLimits, type BoardPanel } from "@fairway/contract/boards";
import { Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { MarkColumnSelects } from "#features/search/map/mark-columns.tsx";
import { mapFieldsOf } from "#features/search/map/model/map-fields.ts";
import type { MarkColumns } from "#features/search/map/model/mark-choice.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { useSearchDescription } from "#parts/open-searches/describe-search.ts";
import { FormDialog } from "#ui/kit/form-dialog.tsx";
import { useLastShown } from "#ui/use-last-shown.ts";

export interface PanelDialogProps {
  /** Null while the dialog is closed. */
  panel: BoardPanel | null;
  /** Names what is typed, which a reload does not lose. */
  draftName: string;
  onClose: () => void;
  onDone: (panel: BoardPanel) => void;
}

/** The title of a panel, the words of a text panel, and the columns that mark the items of a map. */
export default function PanelDialog({ panel, draftName, onClose, onDone }: PanelDialogProps) {
  const shown = useLastShown(panel);
  if (shown === null || shown.kind === "hidden") return null;
  const isText = shown.kind === "text";
  return (
    <FormDialog
      opened={panel !== null}
      onClose={onClose}
      title={isText ? "Text Panel" : "Edit Panel"}
      size={560}
      initial={valuesOf(shown)}
      draft={{ name: draftName, schema: typedValues }}
      canSave={({ title, text }) => title.trim() !== "" || (isText && text.trim() !== "")}
      save={(values) => onDone(panelWith(shown, { ...values, title: values.title.trim() }))}
    >
      {({ field, set, values }) => (
        <>
          <TextInput label="Title" {...field("title")} maxLength={boardLimits.titleCharacters} data-autofocus />
          {shown.kind === "map" && shown.show !== "rows" && <MapMarks panel={shown} value={values} onChange={set} />}
          {isText && (
            <Textarea
              label="Text"
              description="Markdown: **bold**, lists, links, tables."
              {...field("text")}
              rows={8}
              maxLength={boardLimits.textCharacters}
            />
          )}
        </>
      )}
    </FormDialog>
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
  const { data } = useQuery(describeQuery(datasetCategory, datasetId));
  const description = useSearchDescription(data, panel.query);
  const fields = description && mapFieldsOf(description);
  if (!description || !fields) return null;
  return <MarkColumnSelects columns={description.schema.columns} fields={fields} {...rest} />;
}
