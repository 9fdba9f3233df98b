import { Box, Button, Checkbox, Group, NativeSelect, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { IconX } from "#ui/icons/x.ts";
import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useLimits } from "#lib/gateway/portal-settings.ts";
import { graphOfColumn } from "#features/search/graphs/model/column-graph.ts";
import { updateDraft, newGrouping } from "#features/search/graphs/model/graph-draft.ts";
import { countOfGroups, groupedRange } from "@fairway/contract/charts/graph-groups";
import { graphProblems, readGraph } from "#features/search/graphs/model/graph-validity.ts";
import { aggregatesOf } from "@fairway/contract/charts/graph-values";
import { groupingLabels, largeGroupingWarning, typeLabels, workloadText } from "@fairway/contract/charts/graph-wording";
import {
  type Graph,
  type GraphDefinition,
  type GraphType,
  graphTypes,
  type Grouping,
  groupingTypes,
  isRound,
  templateOf,
} from "@fairway/contract/charts/graph";
import { openGraphs } from "#features/search/graphs/model/open-graphs.ts";
import { coarseColumnsOf } from "#parts/reader-part/coarse-columns.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { timeSpanText } from "#parts/dataset-facts/fact-texts.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { sameContent } from "#ui/dialog/unsaved-changes.tsx";
import { GraphColumns } from "./editor-columns.tsx";
import { CustomGroups, TemporalGroups } from "./editor-groups.tsx";
import { FillGroups } from "./fill-groups.tsx";
import type { DraftStore, GraphEditorPanel, GraphsPanel } from "./graphs-panel.ts";
import { GraphPreviewBody } from "./graph-preview.tsx";
import { useGraphPreview } from "./use-graph-preview.ts";
import classes from "./graphs.module.css";

interface Props {
  record: SearchRecord;
  editor: GraphEditorPanel;
  /** The graph that is edited; null for a new one. */
  saved: Graph | null;
  draft: DraftStore;
  /** Element in which the preview is drawn: one beside the editor, null until that is there; undefined for the editor itself. */
  previewSlot: HTMLElement | null | undefined;
  onPanel: (panel: GraphsPanel) => void;
  /** Asks before unsaved changes are lost. */
  onClose: () => void;
  onSaved: (graphId: string) => void;
}

/** Creates or edits a graph, with a preview of it. */
export function GraphEditor({ record, editor, saved, draft: draftStore, previewSlot, onPanel, onClose, onSaved }: Props) {
  const { datasetDescription: description, filters } = record;
  const range = groupedRange(filters, description);
  const limits = useLimits();
  const [initial] = useState(() => {
    const { draft } = editor;
    return draft ? { draft, fillFrom: null } : graphOfColumn(description, editor.column, filters, limits.graphGroupingsWarning);
  });
  const [draft, setDraft] = useState(() => draftStore.read() ?? initial.draft);
  const [hasWarned, setWarned] = useState(editor.hasWarned);
  // Keeps the custom groups while a temporal grouping is selected.
  const [customGroups, setCustomGroups] = useState<readonly Grouping[]>([]);
  const problems = graphProblems(draft, { description, range, limits });
  const groups = countOfGroups(draft, range);
  const { timeExtent, filterSupport } = description;
  const span =
    timeExtent && filterSupport.supportsTimeRange ? timeSpanText({ oldestMs: timeExtent.startMs, newestMs: timeExtent.endMs }) : null;
  const [fillFrom, setFillFrom] = useState(() => (draftStore.read() ? null : initial.fillFrom));
  const preview = useGraphPreview(record, draft, saved);
  const [showsWarning, setShowsWarning] = useState(false);
  const setHasWarned = () => {
    setWarned(true);
    if (editor.id !== null) openGraphs.setWarned(record.id, editor.id);
  };
  const runPreview = () => {
    if (preview.status === "large" && !hasWarned) {
      setHasWarned();
      setShowsWarning(true);
    }
    preview.run();
  };
  const change = (changes: Partial<GraphDefinition>) => {
    const changed = updateDraft(draft, changes);
    draftStore.write(sameContent(changed, initial.draft) ? null : changed);
    setDraft(changed);
  };

  const groupBy = (value: string) => {
    const groupingType = groupingTypes.find((type) => type === value);
    if (!groupingType || groupingType === draft.groupingType) return;
    if (draft.groupingType === "custom") setCustomGroups(draft.groupings);
    const restored = customGroups.length > 0 ? [...customGroups] : [newGrouping(description, [])];
    setFillFrom(null);
    change({ groupingType, days: undefined, groupings: groupingType === "custom" ? restored : [] });
  };
  const save = async () => {
    if (problems.length > 0) return;
    const isLarge = groups > limits.graphGroupingsWarning;
    if (isLarge && !hasWarned) {
      setHasWarned();
      const confirmed = await confirm({
        title: "A lot of groupings",
        text: `${largeGroupingWarning} It will compute ${workloadText(groups, aggregatesOf(draft.columns).length)}.`,
        confirmLabel: "Draw graph",
      });
      if (!confirmed) return;
    }
    const { computed } = preview;
    const graphId = openGraphs.save(record.id, readGraph(draft, description), { id: editor.id, hasWarned: hasWarned || isLarge, computed });
    onPanel(null);
    if (graphId !== null) onSaved(graphId);
  };
  const title = useRef<HTMLInputElement>(null);
  const isNew = editor.id === null;
  useEffect(() => {
    if (isNew) title.current?.focus();
  }, [isNew]);
  const picture = (
    <GraphPreviewBody
      preview={{ ...preview, run: runPreview }}
      columns={description.schema.columns}
      coarse={coarseColumnsOf(description)}
      title={editor.id === null && previewSlot ? draft.title : null}
      isNarrow={previewSlot === undefined}
      showsWarning={showsWarning && groups > limits.graphGroupingsWarning}
    />
  );
  return (
    <form
      className={classes["editor"]}
      aria-label={editor.id === null ? "New graph" : "Edit graph"}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div className={classes["editorHead"]}>
        <h2>{editor.id === null ? "New graph" : "Edit graph"}</h2>
        <IconButton label="Close editor" onClick={onClose}>
          <IconX size={16} aria-hidden />
        </IconButton>
      </div>
      {previewSlot && createPortal(picture, previewSlot)}
      <div className={classes["body"]}>
        {previewSlot === undefined && (
          <section className={classes["narrowPreview"]} aria-label="Preview">
            {picture}
          </section>
        )}
        <TextInput
          ref={title}
          label="Title"
          value={draft.title}
          data-autofocus
          maxLength={200}
          onChange={(event) => change({ title: event.currentTarget.value })}
          autoComplete="off"
        />
        <div>
          <div className={classes["label"]} id="graph-type">
            Type
          </div>
          <SegmentedControl<GraphType>
            fullWidth
            aria-labelledby="graph-type"
            value={draft.type}
            onChange={(type) => change({ type })}
            data={graphTypes.map((type) => ({ value: type, label: typeLabels[type] }))}
          />
        </div>
        <NativeSelect
          label="Group by"
          description={
            range
              ? undefined
              : `Temporal grouping needs a time range on the search.${
                  span === null ? "" : ` Add one above, such as that of the data: ${span}.`
                }`
          }
          value={draft.groupingType}
          onChange={(event) => groupBy(event.currentTarget.value)}
          data={groupingTypes.map((type) => ({ value: type, label: groupingLabels[type], disabled: type !== "custom" && !range }))}
        />
        {draft.groupingType === "custom" && description.assists.includes("PROFILE") && (
          <FillGroups
            record={record}
            initialColumn={fillFrom}
            onFill={(groupings) => {
              setFillFrom(null);
              change({ groupings });
            }}
          />
        )}
        {draft.groupingType === "custom" ? (
          <CustomGroups
            description={description}
            filters={filters}
            added={record.added}
            groupings={draft.groupings}
            maxConditions={limits.graphConditionsPerGroup}
            showsColors={isRound(draft)}
            onChange={(groupings) => change({ groupings })}
          />
        ) : (
          <TemporalGroups
            draft={draft}
            range={range}
            count={groups}
            onChange={(groupings) => change({ groupings })}
            onDays={(days) => change({ days: days > 1 ? days : undefined, groupings: [] })}
          />
        )}
        <GraphColumns
          description={description}
          columns={draft.columns}
          maxColumns={limits.graphColumns}
          showsColors={!isRound(draft)}
          onChange={(columns) => change({ columns })}
        />
        {!isRound(draft) && (
          <Stack gap="xs">
            <Checkbox
              label="Stack the columns"
              checked={draft.stacked}
              onChange={(event) => change({ stacked: event.currentTarget.checked })}
            />
            {draft.type === "line" && (
              <Checkbox
                label="Draw the line across empty groups"
                description={draft.stacked && !draft.logAxis ? "Stacked columns have no gaps: an empty group counts as zero." : undefined}
                checked={draft.bridged !== false}
                onChange={(event) => change({ bridged: event.currentTarget.checked ? undefined : false })}
              />
            )}
            <Checkbox
              label="Logarithmic axis"
              description={draft.logAxis && draft.stacked ? "On this axis, columns are shown side by side." : undefined}
              checked={draft.logAxis}
              onChange={(event) => change({ logAxis: event.currentTarget.checked })}
            />
          </Stack>
        )}
      </div>
      <div className={classes["foot"]}>
        <Text size="xs" c="dimmed" role="status">
          {problems[0] ?? workloadText(groups, aggregatesOf(draft.columns).length)}
        </Text>
        <Group gap="sm" wrap="nowrap">
          <Button type="submit" disabled={problems.length > 0}>
            Save graph
          </Button>
          <Button variant="default" onClick={() => onPanel(null)}>
            Cancel
          </Button>
          <Box component="span" flex={1} />
          <Button
            variant="subtle"
            disabled={problems.length > 0}
            onClick={() =>
              onPanel({ kind: "save-template", template: templateOf(readGraph(draft, description)), back: { ...editor, draft, hasWarned } })
            }
          >
            Save as template
          </Button>
        </Group>
      </div>
    </form>
  );
}
