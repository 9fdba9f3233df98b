import { datasetKey } from "@fairway/contract/datasets";
import type { ReactNode } from "react";
import { useMapResults } from "#features/search/map/model/map-results.ts";
import { mapExtension } from "#features/search/search-extensions.ts";
import { copySearchLink } from "#features/search/summaries/copy-link.ts";
import { copyText } from "#lib/text/copy.ts";
import { useLimits } from "#lib/gateway/portal-settings.ts";
import { useOwnDatasets } from "#parts/own-datasets/queries.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { resultsSubtitle, rowsOnMapText } from "#parts/open-searches/result-wording.ts";
import { buildCurl } from "#parts/result-export/curl.ts";
import { fixedAddress, searchAddress } from "#parts/search-model/search-address.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { PageHeader } from "#ui/page-header.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { ResultsActions } from "./actions.tsx";
import { newColumn } from "./new-column.ts";
import type { ResultsDialog } from "./dialogs.tsx";
import { ViewSwitch } from "./view-switch.tsx";
import { offersRowsOnMap, viewOf, viewsOf } from "./views.ts";

interface Props {
  record: SearchRecord;
  showsColumns: boolean;
  showsFilters: boolean;
  /** Beside the title. */
  badges: ReactNode;
  onDialog: (dialog: ResultsDialog) => void;
  onToggleColumns: () => void;
  onToggleFilters: () => void;
  /** Set if summaries are drawn in a dialog. */
  onSummarize: (() => void) | undefined;
  /** Header actions of the current view. */
  children: ReactNode;
}

/** The title, result summary and actions of a search. */
export function ResultsHeader({
  record,
  showsColumns,
  showsFilters,
  badges,
  onDialog,
  onToggleColumns,
  onToggleFilters,
  onSummarize,
  children,
}: Props) {
  const { id, datasetDescription: description, filters, isSample, results } = record;
  const { items, rowsOnMap } = useMapResults(record);
  const copyCurl = useCopyCurl(record);
  const view = viewOf(record);
  const added = newColumn(record);
  const own = useOwnDatasets().get(datasetKey({ datasetCategory: description.category.id, datasetId: description.datasetId }));
  return (
    <PageHeader
      title={description.own?.title || description.datasetId}
      badges={badges}
      subtitle={
        view === "map" && rowsOnMap !== null
          ? rowsOnMapText(rowsOnMap)
          : resultsSubtitle({ ...record, items: view === "map" ? (items?.length ?? null) : null, coversAll: view === "graphs" })
      }
    >
      {children}
      <ResultsActions
        isSample={isSample}
        hasRows={results !== null && results.length > 0}
        showsColumns={showsColumns}
        showsFilters={showsFilters}
        onClose={() => void closeSearch(id)}
        onCopyCurl={copyCurl}
        onCopyLink={() => void copySearchLink(record, searchAddress(record))}
        onCopyFixedLink={filters.timeRange?.last && (() => void copySearchLink(record, fixedAddress(record)))}
        onSchema={() => onDialog({ kind: "schema" })}
        onExport={() => onDialog({ kind: "export" })}
        onExportAll={!isSample && description.assists.includes("EXPORT") ? () => onDialog({ kind: "export-all" }) : undefined}
        onShowRowsOnMap={offersRowsOnMap(record) && view !== "map" ? () => showRowsOnMap(id) : undefined}
        onAddColumn={added === null ? undefined : () => onDialog(added)}
        onToggleColumns={onToggleColumns}
        onToggleFilters={onToggleFilters}
        onSummarize={onSummarize}
        onRerun={() => openSearches.rerun(id)}
        onSave={() => onDialog({ kind: "save" })}
        onAddToBoard={() => onDialog({ kind: "board" })}
        onCreateAlert={() => onDialog({ kind: "alert" })}
        onSendByEmail={() => onDialog({ kind: "email" })}
        own={own}
        onShare={() => onDialog({ kind: "share" })}
      />
      <ViewSwitch offered={viewsOf(record)} value={view} onChange={(chosen) => openSearches.setViewMode(id, chosen)} />
    </PageHeader>
  );
}

export async function copyWithToast(text: string, message: string): Promise<void> {
  if (await copyText(text)) toastSuccess(message, 1200);
}

export function useCopyCurl(record: SearchRecord): () => void {
  const { pageRows } = useLimits();
  return () => void copyWithToast(buildCurl(record, location.origin, pageRows), "cURL command copied");
}

/** Opens the map of a dataset without items, which shows all rows. */
function showRowsOnMap(id: string): void {
  openSearches.setSlice(id, mapExtension, { r: {} });
  openSearches.setViewMode(id, "map");
}

async function closeSearch(id: string): Promise<void> {
  const confirmed = await confirm({
    title: "Close Search?",
    text: "This removes the search and its loaded rows from this tab.",
    confirmLabel: "Close Search",
  });
  if (confirmed) openSearches.close(id);
}
