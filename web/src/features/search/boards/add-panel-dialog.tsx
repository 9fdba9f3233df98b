import { boardLimits, type PanelContent } from "@fairway/contract/boards";
import { datasetKey } from "@fairway/contract/datasets";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { parseSavedQuery, type SavedQuery, type SavedSearch, type SharedSearch } from "@fairway/contract/saved-searches";
import type { MapRowsView } from "@fairway/contract/map-view";
import { withVersion } from "@fairway/contract/summaries";
import { Flex, Radio, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { useSearchDescription } from "#parts/open-searches/describe-search.ts";
import { panelKinds, type ShownAs } from "#features/search/add-to-board/panel-kinds.ts";
import { templateDefinition, templateSummary } from "@fairway/contract/charts/graph";
import { graphTemplatesQuery, savedSearchesQuery, sharedSearchesQuery } from "#features/search/saved-searches/queries.ts";
import { sharedByText } from "#parts/sharing/sharing.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { SaveForm } from "#ui/kit/form-dialog.tsx";
import { useDialogForm } from "#ui/kit/use-dialog-form.ts";
import { Select } from "#ui/select.tsx";
import { EmptyState, ErrorState, LoadingRows } from "#ui/states.tsx";
import { RowsLookFields } from "./islands.ts";
import classes from "./boards.module.css";

export interface AddPanelDialogProps {
  opened: boolean;
  onClose: () => void;
  onDone: (panel: PanelContent) => void;
}

type Saved = SavedSearch | SharedSearch;
type GraphTemplate = { readonly id: string; readonly templateName: string; readonly templateJson: string };

/** Makes a panel from a saved search: one's own, or one that is shared. */
export default function AddPanelDialog({ opened, onClose, onDone }: AddPanelDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Add Panel" size={560} fillsPhone>
      <AddPanelForm onClose={onClose} onDone={onDone} />
    </Dialog>
  );
}

function AddPanelForm({ onClose, onDone }: Omit<AddPanelDialogProps, "opened">) {
  const own = useQuery({ ...savedSearchesQuery, staleTime: 0 });
  // Searches of others and graphs are extras: the list does not wait for them.
  const { data: shared = [] } = useQuery(sharedSearchesQuery);
  const { data: allTemplates = [] } = useQuery(graphTemplatesQuery);
  const [find, setFind] = useState("");
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [chosenKind, setChosenKind] = useState<ShownAs | null>(null);
  const [templateId, setTemplateId] = useState<string | null>(null);
  const [chosenRows, setChosenRows] = useState<MapRowsView | null>(null);

  const all: readonly Saved[] = [...(own.data ?? []), ...shared];
  const needle = find.trim().toLowerCase();
  const listed = all.filter((saved) =>
    [saved.queryName, saved.datasetId, saved.datasetCategory, saved.description].some((text) => text.toLowerCase().includes(needle)),
  );
  const chosen = all.find(({ id }) => id === chosenId) ?? null;
  const described = useQuery({ ...describeQuery(chosen?.datasetCategory ?? "", chosen?.datasetId ?? ""), enabled: chosen !== null });
  const parsed = chosen && parseSavedQuery(chosen.query);
  const query = parsed && "query" in parsed ? parsed.query : null;
  const description = useSearchDescription(chosen === null ? undefined : described.data, query ?? undefined) ?? null;
  const templates = allTemplates.filter((template) => chosen !== null && datasetKey(template) === datasetKey(chosen));
  const template = templates.find(({ id }) => id === templateId) ?? templates[0];
  const kinds = description && [
    ...panelKinds(description),
    ...(templates.length > 0 ? [{ value: "graph" as const, label: "Graph of a template" }] : []),
  ];
  const kind = chosenKind ?? kindOf(query, kinds ?? [], description);
  const rows = chosenRows ?? description?.mapView?.rows ?? {};
  // Named after its search until something else is typed.
  const titleOf = (title: string | null) => title ?? chosen?.queryName ?? "";
  const panelWith = (title: string) => description && query && panelOf(kind, title.trim(), { description, query, template, rows });
  const form = useDialogForm({
    initial: { title: null as string | null },
    canSave: ({ title }) => titleOf(title).trim() !== "" && panelWith("") !== null,
    save: ({ title }) => {
      const panel = panelWith(titleOf(title));
      if (panel) onDone(panel);
    },
  });

  return (
    <SaveForm form={form} saveLabel="Add" onCancel={onClose}>
      <TextInput
        label="Find a saved search"
        type="search"
        value={find}
        data-autofocus
        onChange={(event) => setFind(event.currentTarget.value)}
        autoComplete="off"
      />
      {listed.length > 0 ? (
        <Radio.Group
          label="Saved searches"
          value={chosenId}
          onChange={(id) => {
            setChosenId(id);
            setChosenKind(null);
            setTemplateId(null);
            setChosenRows(null);
          }}
        >
          <div className={classes["addPanelDialogList"]}>
            {listed.map((saved) => (
              <Radio
                key={saved.id}
                value={saved.id}
                label={saved.queryName}
                description={aboutText(saved)}
                className={classes["row"] ?? ""}
              />
            ))}
          </div>
        </Radio.Group>
      ) : (
        <div className={classes["addPanelDialogList"]}>
          {own.data !== undefined ? (
            <EmptyState>
              {all.length === 0
                ? "No saved searches yet. Run a search, then choose Actions → Save Search Filters, or Add to Board."
                : "No saved search matches. Try a shorter text."}
            </EmptyState>
          ) : own.error && !own.isFetching ? (
            <ErrorState message="Failed to load saved searches" details={messagesOf(own.error)} onRetry={() => void own.refetch()} />
          ) : (
            <LoadingRows label="Loading saved searches" rows={3} rowHeight={44} />
          )}
        </div>
      )}
      {chosen && described.error && !described.isFetching && (
        <ErrorState
          message={`${chosen.datasetId} could not be loaded`}
          details={messagesOf(described.error)}
          onRetry={() => void described.refetch()}
        />
      )}
      {chosen && query === null && (
        <p role="alert" className={classes["failure"]}>
          {`${chosen.queryName} can’t be added: its filters can’t be read.`}
        </p>
      )}
      {query && kinds && (
        <>
          <Radio.Group label="Show as" value={kind} onChange={setChosenKind}>
            <Flex rowGap="sm" columnGap="lg" wrap="wrap" mt="sm">
              {kinds.map(({ value, label }) => (
                <Radio key={value} value={value} label={label} />
              ))}
            </Flex>
          </Radio.Group>
          {kind === "graph" && template && (
            <Select
              label="Graph template"
              allowDeselect={false}
              searchable
              data={templates.map(({ id, templateName }) => ({ value: id, label: templateName }))}
              value={template.id}
              onChange={setTemplateId}
            />
          )}
          {kind === "rows" && description && <RowsLookFields description={description} value={rows} onChange={setChosenRows} />}
          <TextInput
            label="Title"
            value={titleOf(form.values.title)}
            maxLength={boardLimits.titleCharacters}
            onChange={(event) => form.set({ title: event.currentTarget.value })}
            autoComplete="off"
          />
        </>
      )}
    </SaveForm>
  );
}

const aboutText = (saved: Saved): string =>
  [saved.datasetId, saved.description, "owner" in saved ? sharedByText(saved) : ""].filter((text) => text !== "").join(" · ");

/** How the search was shown when it was saved, its map as the dataset's looks first, or as a table. */
function kindOf(query: SavedQuery | null, kinds: readonly { value: ShownAs }[], description: DatasetDescription | null): ShownAs {
  const maps: readonly ShownAs[] = description?.mapView?.show === "rows" ? ["rows", "map"] : ["map", "rows"];
  const saved = query?.view === "map" ? maps : query?.view === "graphs" ? (["graph"] as const) : [];
  return saved.find((one) => kinds.some(({ value }) => value === one)) ?? "table";
}

interface Source {
  description: DatasetDescription;
  query: SavedQuery;
  template: GraphTemplate | undefined;
  /** How a map of all rows shows them. */
  rows: MapRowsView;
}

/** Null for a graph that cannot be read. */
function panelOf(kind: ShownAs, title: string, { description, query, template, rows }: Source): PanelContent | null {
  const { timeRange, geospatial, filters, columns, sort, computed, lookups } = query;
  const shared = {
    title,
    dataset: { datasetCategory: description.category.id, datasetId: description.datasetId },
    query: {
      filters,
      ...(timeRange && { timeRange }),
      ...(geospatial && { geospatial }),
      ...(computed && { computed }),
      ...(lookups && { lookups }),
      ...(kind === "table" && columns && { columns }),
      ...(kind === "table" && sort && { sort }),
    },
  };
  if (kind === "graph") {
    const summary = template && templateSummary(template.templateJson);
    if (summary) return { ...shared, kind, graph: withVersion({ ...summary, title }) };
    const graph = template && templateDefinition(template.templateJson);
    return graph ? { ...shared, kind, graph: { ...graph, title } } : null;
  }
  if (kind === "rows") return { ...shared, kind: "map", show: "rows", rows };
  return kind === "number" ? { ...shared, kind, value: { aggregation: "count", column: "*" } } : { ...shared, kind };
}
