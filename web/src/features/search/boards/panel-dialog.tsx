import { boardLimits, type BoardPanel } from "@fairway/contract/boards";
import { mapRowsView } from "@fairway/contract/map-view";
import { Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { MarkColumnSelects } from "#features/search/map/mark-columns.tsx";
import { mapFieldsOf } from "#features/search/map/model/map-fields.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { useSearchDescription } from "#parts/open-searches/describe-search.ts";
import { FormDialog } from "#ui/kit/form-dialog.tsx";
import { useLastShown } from "#ui/use-last-shown.ts";
import { RowsLookFields } from "./islands.ts";

export interface PanelDialogProps {
  /** Null while the dialog is closed. */
  panel: BoardPanel | null;
  /** Names what is typed, which a reload does not lose. */
  draftName: string;
  onClose: () => void;
  onDone: (panel: BoardPanel) => void;
}

/** The title of a panel, the words of a text panel, and how a map marks its items or counts its rows. */
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
          {shown.kind === "map" && <MapLook panel={shown} value={values} onChange={set} />}
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
  rows: mapRowsView,
});
type Values = z.infer<typeof typedValues>;

function valuesOf(panel: EditablePanel): Values {
  const { colorBy = null, sizeBy = null, rows = {} } = panel.kind === "map" ? panel : {};
  return { title: panel.title, text: panel.kind === "text" ? panel.text : "", colorColumn: colorBy, sizeColumn: sizeBy, rows };
}

function panelWith(panel: EditablePanel, { title, text, colorColumn, sizeColumn, rows }: Values): EditablePanel {
  if (panel.kind === "text") return { ...panel, title, text };
  if (panel.kind !== "map") return { ...panel, title };
  if (panel.show === "rows") return { ...panel, title, rows };
  return { ...panel, title, colorBy: colorColumn ?? undefined, sizeBy: sizeColumn ?? undefined };
}

/** Absent until the dataset's columns are known, and if they are not. */
function MapLook({ panel, value, onChange }: { panel: MapPanel; value: Values; onChange: (changed: Partial<Values>) => void }) {
  const { datasetCategory, datasetId } = panel.dataset;
  const { data } = useQuery(describeQuery(datasetCategory, datasetId));
  const description = useSearchDescription(data, panel.query);
  if (!description) return null;
  if (panel.show === "rows") return <RowsLookFields description={description} value={value.rows} onChange={(rows) => onChange({ rows })} />;
  const fields = mapFieldsOf(description);
  return fields && <MarkColumnSelects columns={description.schema.columns} fields={fields} value={value} onChange={onChange} />;
}
