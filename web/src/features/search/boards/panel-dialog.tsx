import { boardLimits, type BoardPanel } from "@fairway/contract/boards";
import { mapRowsView } from "@fairway/contract/map-view";
import { Flex, Radio, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { panelKinds } from "#features/search/add-to-board/panel-kinds.ts";
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
  show: z.enum(["items", "rows"]),
  rows: mapRowsView,
});
type Values = z.infer<typeof typedValues>;

function valuesOf(panel: EditablePanel): Values {
  const { colorBy = null, sizeBy = null, show = "items", rows = {} } = panel.kind === "map" ? panel : {};
  return { title: panel.title, text: panel.kind === "text" ? panel.text : "", colorColumn: colorBy, sizeColumn: sizeBy, show, rows };
}

function panelWith(panel: EditablePanel, { title, text, colorColumn, sizeColumn, show, rows }: Values): EditablePanel {
  if (panel.kind === "text") return { ...panel, title, text };
  if (panel.kind !== "map") return { ...panel, title };
  if (show === "rows") return { ...panel, title, show, rows };
  return { ...panel, title, show: undefined, colorBy: colorColumn ?? undefined, sizeBy: sizeColumn ?? undefined };
}

/** Absent until the dataset's columns are known, and if they are not. */
function MapLook({ panel, value, onChange }: { panel: MapPanel; value: Values; onChange: (changed: Partial<Values>) => void }) {
  const { datasetCategory, datasetId } = panel.dataset;
  const { data } = useQuery(describeQuery(datasetCategory, datasetId));
  const description = useSearchDescription(data, panel.query);
  if (!description) return null;
  const fields = mapFieldsOf(description);
  const kinds = panelKinds(description).filter(({ value: kind }) => kind === "map" || kind === "rows");
  return (
    <>
      {kinds.length > 1 && (
        <Radio.Group
          label="Show as"
          value={value.show === "rows" ? "rows" : "map"}
          onChange={(kind) => onChange({ show: kind === "rows" ? "rows" : "items" })}
        >
          <Flex rowGap="sm" columnGap="lg" wrap="wrap" mt="sm">
            {kinds.map(({ value: kind, label }) => (
              <Radio key={kind} value={kind} label={label} />
            ))}
          </Flex>
        </Radio.Group>
      )}
      {value.show === "rows" ? (
        <RowsLookFields description={description} value={value.rows} onChange={(rows) => onChange({ rows })} />
      ) : (
        fields && <MarkColumnSelects columns={description.schema.columns} fields={fields} value={value} onChange={onChange} />
      )}
    </>
  );
}
