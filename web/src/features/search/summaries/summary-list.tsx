import type { BreakdownEntry } from "@fairway/contract/breakdowns";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { GraphDefinition } from "@fairway/contract/charts/graph";
import type { SearchFilters, SearchRecord } from "#parts/search-model/search-record.ts";
import { toastUndo } from "#ui/toast/toast.ts";
import { copyGraphLink } from "./copy-link.ts";
import { labeledBreakdown, titleOf } from "@fairway/contract/charts/measure-wording";
import { exportedTable } from "./model/exported-table.ts";
import { excluded, narrowed } from "./model/narrow.ts";
import type { OpenedSummary } from "./model/new-summary.ts";
import { figureToWatch } from "./model/watched-figure.ts";
import { removeSummary, saveSummary } from "./model/summary-store.ts";
import { byValues, type StoredSummary } from "./model/summary.ts";
import type { Drill, SummaryDialog } from "./card-actions.ts";
import { SummaryCard } from "./summary-card.tsx";
import { SummaryEditor } from "./summary-editor.tsx";
import { summaryQuery } from "./summary-query.ts";

/** Starts another search of the dataset with these summaries: in the table, or drawn. */
type OpenSearch = (filters: SearchFilters, view: "table" | "graphs", summaries: readonly StoredSummary[]) => void;

interface Props {
  record: SearchRecord;
  summaries: readonly StoredSummary[];
  opened: OpenedSummary | null;
  onOpened: (opened: OpenedSummary | null) => void;
  onSearch: OpenSearch;
  onDialog: (dialog: SummaryDialog) => void;
  onSaveTemplate: (title: string, summary: StoredSummary) => void;
  onAddToBoard: (title: string, summary: StoredSummary) => void;
}

/** The summaries of a search, one below the other. */
export function SummaryList({ record, summaries, opened, onOpened, onSearch, onDialog, onSaveTemplate, onAddToBoard }: Props) {
  const { id, datasetDescription: description, filters } = record;
  const client = useQueryClient();
  const drill = useCallback(
    (summary: StoredSummary, entries: readonly BreakdownEntry[], how: Drill) => {
      const [entry] = entries;
      const next = how.kind === "exclude" ? entry && excluded(description, filters, entry) : narrowed(description, filters, entries);
      if (!next) return;
      if (how.kind !== "further") return onSearch(next, how.kind === "rows" ? "table" : "graphs", summaries);
      const breakdown = { ...summary.breakdown, by: [byValues(how.column)] };
      onSearch(next, "graphs", [{ ...summary, id: crypto.randomUUID(), title: null, chart: null, breakdown }]);
    },
    [description, filters, summaries, onSearch],
  );
  const alertOn = ({ breakdown }: StoredSummary) => {
    const figure = figureToWatch(breakdown);
    return figure && (() => onDialog({ kind: "alert", figure }));
  };
  return summaries.map((summary) => (
    <SummaryCard
      key={summary.id}
      record={record}
      summary={summary}
      isEdited={opened?.id === summary.id}
      onEdit={() => onOpened({ id: summary.id, before: summary, startsWithGrouping: false })}
      onChange={(breakdown) => saveSummary(id, { ...summary, breakdown })}
      onSaveTemplate={() => onSaveTemplate(titleIn(summary, record.datasetDescription), summary)}
      onAddToBoard={() => onAddToBoard(titleIn(summary, record.datasetDescription), summary)}
      onAlert={alertOn(summary)}
      onExport={() => {
        const answer = client.getQueryData(summaryQuery(record, summary.breakdown).queryKey);
        onDialog({ kind: "export-summary", table: exportedTable(titleIn(summary, record.datasetDescription), summary.breakdown, answer) });
      }}
      onCopyLink={() => void copyGraphLink(record, summary)}
      onRemove={() => {
        if (opened?.id === summary.id) onOpened(null);
        toastUndo("Graph removed", removeSummary(id, summary.id));
      }}
      onOpen={(entries, how) => drill(summary, entries, how)}
    />
  ));
}

const titleIn = ({ title, breakdown }: StoredSummary, { schema }: SearchRecord["datasetDescription"]): string =>
  title ?? titleOf(labeledBreakdown(breakdown, schema.columns));

/** The editor of a summary. Changes are kept as they are made, until Cancel takes them back. */
export function OpenedSummaryEditor({
  record,
  summary,
  opened,
  onOpened,
  onByHand,
}: {
  record: SearchRecord;
  summary: StoredSummary;
  opened: OpenedSummary;
  onOpened: (opened: OpenedSummary | null) => void;
  onByHand: (graph: GraphDefinition) => void;
}) {
  return (
    <SummaryEditor
      key={summary.id}
      record={record}
      summary={summary}
      startsWithGrouping={opened.startsWithGrouping}
      onChange={(changed) => saveSummary(record.id, changed)}
      onDone={() => onOpened(null)}
      onCancel={() => {
        if (opened.before === null) removeSummary(record.id, summary.id);
        else saveSummary(record.id, opened.before);
        onOpened(null);
      }}
      onByHand={(graph) => {
        onOpened(null);
        toastUndo("Summary turned into groups by hand", removeSummary(record.id, summary.id));
        onByHand(graph);
      }}
    />
  );
}
