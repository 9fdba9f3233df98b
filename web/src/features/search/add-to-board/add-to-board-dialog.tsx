import { boardLimits, type PanelContent } from "@fairway/contract/boards";
import { savedSearchLimits } from "@fairway/contract/saved-searches";
import { Radio, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { flushSync } from "react-dom";
import { searchTitle } from "#parts/open-searches/search-summary.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { savedQueryOf } from "#features/search/saved-searches/saved-search-text.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { NameInput, SaveForm, selectAll } from "#ui/kit/form-dialog.tsx";
import { useDialogForm } from "#ui/kit/use-dialog-form.ts";
import { toastSuccess } from "#ui/toast/toast.ts";
import { sharedByText } from "#parts/sharing/sharing.ts";
import { addPanel, boardsQuery, createBoard } from "#parts/boards/queries.ts";
import { Select } from "#ui/select.tsx";
import { mapContentOf, showsAllRows } from "./map-panel-content.ts";
import { panelKinds, type ShownAs } from "./panel-kinds.ts";

/** A graph or a summary as its panel keeps it. */
export interface BoardGraph {
  title: string;
  stored: Readonly<Record<string, unknown>>;
}

export interface AddToBoardDialogProps {
  opened: boolean;
  record: SearchRecord;
  /** The graph to add; null to choose how the search is shown. */
  graph: BoardGraph | null;
  onClose: () => void;
}

const newBoard = "new";

/** Adds what is on the screen to a board, or to a new one. */
export default function AddToBoardDialog({ opened, ...rest }: AddToBoardDialogProps) {
  return (
    <Dialog opened={opened} onClose={rest.onClose} title="Add to Board">
      <AddForm {...rest} />
    </Dialog>
  );
}

function AddForm({ record, graph, onClose }: Omit<AddToBoardDialogProps, "opened">) {
  const navigate = useNavigate();
  const { data: all } = useQuery({ ...boardsQuery, staleTime: 0 });
  const boards = all?.filter(({ can }) => can !== "view") ?? [];
  // The map is copied as it is shown.
  const [map, otherMap] = showsAllRows(record) ? (["rows", "map"] as const) : (["map", "rows"] as const);
  const kinds = panelKinds(record.datasetDescription).filter(({ value }) => value !== otherMap);
  const [kind, setKind] = useState<ShownAs>(() =>
    graph ? "graph" : record.viewMode === "map" && kinds.some(({ value }) => value === map) ? map : "table",
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const boardId = chosen ?? boards[0]?.id ?? newBoard;
  const isNew = boardId === newBoard;
  const form = useDialogForm({
    initial: {
      title: graph?.title.slice(0, boardLimits.titleCharacters) ?? searchTitle(record, boardLimits.titleCharacters),
      name: searchTitle(record, savedSearchLimits.nameCharacters),
    },
    canSave: ({ title, name }) => title.trim() !== "" && all !== undefined && (!isNew || name.trim() !== ""),
    save: async ({ title, name }) => {
      const panel = panelOf(kind, title.trim(), record, graph);
      const id = isNew ? (await createBoard({ name: name.trim(), content: {} })).id : boardId;
      // A second attempt must not make another board.
      setChosen(id);
      await addPanel(id, panel);
      toastSuccess("Added to board");
      // Closes first: nothing is unsaved any more when the board opens.
      flushSync(onClose);
      void navigate({ to: "/boards/$boardId", params: { boardId: id } });
    },
  });
  return (
    <SaveForm form={form} onCancel={onClose}>
      {graph === null && (
        <Radio.Group label="Show as" value={kind} onChange={setKind}>
          {kinds.map(({ value, label }) => (
            <Radio key={value} value={value} label={label} mt="xs" />
          ))}
        </Radio.Group>
      )}
      <TextInput label="Title" {...form.field("title")} maxLength={boardLimits.titleCharacters} data-autofocus onFocus={selectAll} />
      <Select
        label="Board"
        allowDeselect={false}
        data={[
          ...boards.map(({ id, name, ...sharing }) => ({
            value: id,
            label: sharing.can === "own" ? name : `${name}, ${sharedByText(sharing)}`,
          })),
          { value: newBoard, label: "New board…" },
        ]}
        value={boardId}
        onChange={setChosen}
      />
      {isNew && <NameInput {...form.field("name")} maxLength={savedSearchLimits.nameCharacters} onFocus={selectAll} />}
    </SaveForm>
  );
}

function panelOf(kind: ShownAs, title: string, record: SearchRecord, graph: BoardGraph | null): PanelContent {
  const { category, datasetId } = record.datasetDescription;
  const { filters = [], ...query } = savedQueryOf(record, new Set(kind === "table" ? ["columns", "sort"] : []));
  const shared = {
    title,
    dataset: { datasetCategory: category.id, datasetId },
    query: { ...query, filters },
  };
  if (kind === "graph") return { ...shared, kind, graph: { ...graph?.stored } };
  if (kind === "map" || kind === "rows") return { ...shared, kind: "map", ...mapContentOf(record) };
  return kind === "number" ? { ...shared, kind, value: { aggregation: "count", column: "*" } } : { ...shared, kind };
}
