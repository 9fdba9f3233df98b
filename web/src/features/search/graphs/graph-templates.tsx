import { savedSearchLimits } from "@fairway/contract/saved-searches";
import { Radio } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLimits } from "#lib/gateway/portal-settings.ts";
import { countOfGroups, groupedRange } from "@fairway/contract/charts/graph-groups";
import { templateDefinition, templateSummary } from "@fairway/contract/charts/graph";
import { graphProblems } from "#features/search/graphs/model/graph-validity.ts";
import { canSummarize } from "#features/search/summaries/model/new-summary.ts";
import { addSummaries } from "#features/search/summaries/model/summary-store.ts";
import { openGraphs } from "#features/search/graphs/model/open-graphs.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { deleteGraphTemplate, graphTemplatesQuery, saveGraphTemplate } from "#features/search/saved-searches/queries.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { FormDialog, NameInput } from "#ui/kit/form-dialog.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { useLastShown } from "#ui/use-last-shown.ts";
import type { GraphsPanel } from "./graphs-panel.ts";
import { SavedItemPicker, useSavedDeletion } from "#features/search/saved-searches/saved-item-picker.tsx";
import classes from "#features/search/saved-searches/saved-searches.module.css";

interface Props {
  record: SearchRecord;
  panel: GraphsPanel;
  onPanel: (panel: GraphsPanel) => void;
}

/** The dialogs of graph templates: the list, and the form for a new template. */
export function GraphTemplates({ record, panel, onPanel }: Props) {
  const template = useLastShown(panel?.kind === "save-template" ? panel.template : null);
  const { category, datasetId } = record.datasetDescription;
  const close = () => onPanel(panel?.kind === "save-template" ? panel.back : null);
  return (
    <>
      <Dialog opened={panel?.kind === "templates"} onClose={close} title="Graph templates">
        <TemplateList record={record} onPanel={onPanel} />
      </Dialog>
      {template && (
        <FormDialog
          opened={panel?.kind === "save-template"}
          onClose={close}
          title="Save graph template"
          initial={{ templateName: template.title.slice(0, savedSearchLimits.nameCharacters) }}
          canSave={({ templateName }) => templateName.trim() !== ""}
          save={async ({ templateName }) => {
            const saved = { datasetCategory: category.id, datasetId, templateJson: template.json };
            await saveGraphTemplate({ ...saved, templateName: templateName.trim() });
            toastSuccess("Graph template saved");
            close();
          }}
        >
          {({ field }) => <NameInput {...field("templateName")} maxLength={savedSearchLimits.nameCharacters} />}
        </FormDialog>
      )}
    </>
  );
}

function TemplateList({ record, onPanel }: Omit<Props, "panel">) {
  const { datasetDescription: description, filters } = record;
  const query = useQuery(graphTemplatesQuery);
  const limits = useLimits();
  const [chosenId, setChosenId] = useState<string | null>(null);
  const { failure, setFailure, remove } = useSavedDeletion("Delete Graph Template?");
  const templates = (query.data ?? []).filter(
    ({ datasetCategory, datasetId }) => datasetCategory === description.category.id && datasetId === description.datasetId,
  );
  const chosen = templates.find(({ id }) => id === chosenId);

  const load = () => {
    if (!chosen) return;
    const summary = templateSummary(chosen.templateJson);
    if (summary && canSummarize(record)) {
      addSummaries(record.id, [{ ...summary, id: crypto.randomUUID() }]);
      onPanel(null);
      return;
    }
    if (summary) {
      setFailure(`${chosen.templateName} can't be loaded: this dataset cannot be summarized.`);
      return;
    }
    const definition = templateDefinition(chosen.templateJson);
    if (!definition) {
      setFailure(`${chosen.templateName} can't be loaded: it has no readable graph.`);
      return;
    }
    const range = groupedRange(filters, description);
    const isReady =
      graphProblems(definition, { description, range, limits }).length === 0 &&
      countOfGroups(definition, range) <= limits.graphGroupingsWarning;
    // Templates that cannot be drawn as they are, or are large, open in the editor, which shows why.
    if (isReady) openGraphs.save(record.id, definition, { id: null, hasWarned: false });
    onPanel(isReady ? null : { kind: "editor", id: null, draft: definition, hasWarned: false });
  };
  return (
    <SavedItemPicker
      label="Graph templates"
      query={query}
      empty={templates.length === 0 ? "No graph templates yet. Choose Save as template in a graph's menu." : null}
      failure={failure}
      chosenId={chosenId}
      canLoad={chosen !== undefined}
      canDelete={chosen !== undefined}
      onChoose={setChosenId}
      onLoad={load}
      onDelete={async () => {
        if (chosen) await remove(chosen.templateName, () => deleteGraphTemplate(chosen));
      }}
      onClose={() => onPanel(null)}
    >
      {templates.map(({ id, templateName }) => (
        <div key={id} className={classes["row"]}>
          <Radio value={id} label={templateName} />
        </div>
      ))}
    </SavedItemPicker>
  );
}
