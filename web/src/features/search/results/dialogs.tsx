import type { Point } from "@fairway/contract/areas";
import { passesRole } from "@fairway/contract/access";
import type { Column } from "@fairway/contract/columns";
import { datasetKey } from "@fairway/contract/datasets";
import { isOwnCategory } from "@fairway/contract/own-datasets";
import type { ReactNode } from "react";
import AddToBoardDialog from "#features/search/add-to-board/add-to-board-dialog.tsx";
import { AskAboutCell } from "#features/search/ask-about-cell.tsx";
import { SchemaDialog } from "#features/search/results/schema/schema-dialog.tsx";
import { ProfileDialog } from "#features/search/results/column-profile/profile-dialog.tsx";
import { SaveFiltersDialog } from "#features/search/saved-searches/saved-search-dialogs.tsx";
import type { FigureToWatch } from "#features/search/figure-to-watch.ts";
import { AlertOfSearchDialog } from "#features/search/alerts/alert-of-search-dialog.tsx";
import { SubscriptionOfSearchDialog } from "#features/search/subscriptions/subscription-of-search-dialog.tsx";
import { FullTextDialog } from "#features/search/results/table/full-text-dialog.tsx";
import type { SummaryStart } from "#features/search/summaries/model/new-summary.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { useResultZone } from "#lib/time/result-zone.ts";
import { LocationDialog } from "#parts/area/islands.tsx";
import { FilesetDialog } from "#parts/file-browser/islands.tsx";
import { AddColumnDialog } from "#parts/formula/islands.tsx";
import { useOwnDatasets } from "#parts/own-datasets/queries.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { ExportDialog } from "#parts/result-export/export-dialog.tsx";
import { ExportAllDialog, type ExportedTable } from "#parts/result-export/export-all-dialog.tsx";
import { island } from "#ui/island.tsx";
import { useLastShown } from "#ui/use-last-shown.ts";
import { canAddLookup, canCompute, columnsFor, saveColumn } from "./added-columns.ts";
import { KindSwitch } from "./kind-switch.tsx";
import { LookupOfSearchDialog } from "./lookup-of-search-dialog.tsx";
import type { FilterEditing } from "./filter-editing.tsx";
import { knownTotal } from "./views.ts";

export { NoRows } from "#parts/reader-part/no-rows.tsx";

const CompareDialog = island(async () => ({
  default: (await import("#features/search/results/compare/compare-dialog.tsx")).CompareDialog,
}));

const ShareOwnDialog = island(async () => ({ default: (await import("#parts/own-datasets/share-own-dialog.tsx")).ShareOwnDialog }));

export type ResultsDialog =
  | { kind: "schema" }
  | { kind: "export" }
  | { kind: "export-all" }
  | { kind: "save" }
  | { kind: "board" }
  | { kind: "alert"; figure?: FigureToWatch }
  | { kind: "export-summary"; table: ExportedTable }
  | { kind: "email" }
  | { kind: "share" }
  | { kind: "profile"; column: Column }
  /** `name` of an added column to change; null adds one. */
  | { kind: "column"; name: string | null }
  /** `id` of a lookup of the search to change; null for a new one, whose key is this column. */
  | { kind: "lookup"; id: string | null; column: string | null }
  | { kind: "compare"; indexes: readonly number[] }
  | { kind: "text"; title: string; text: string }
  | { kind: "fileset"; title: string; fileset: string; path: string }
  | { kind: "location"; title: string; point: Point };

interface Props {
  dialog: ResultsDialog | null;
  onClose: () => void;
  onDialog: (dialog: ResultsDialog) => void;
  record: SearchRecord;
  editing: FilterEditing;
  columns: readonly Column[];
  visibleColumns: readonly Column[];
  onCopyCurl: () => void;
  /** Undefined if the search has no summaries. */
  onSummarize: ((start: SummaryStart) => void) | undefined;
}

/** Undefined if nobody has brought the dataset of a search. */
function useOwnDatasetOf({ datasetDescription: { category, datasetId } }: SearchRecord) {
  return useOwnDatasets().get(datasetKey({ datasetCategory: category.id, datasetId }));
}

/** Adds a column to the search, or changes the one with this name. */
function ColumnDialog({
  opened,
  name,
  record,
  head,
  onClose,
}: Pick<Props, "record" | "onClose"> & { opened: boolean; name: string | null; head: ReactNode }) {
  const zone = useResultZone();
  const { roles } = useCurrentUser();
  const { category } = record.datasetDescription;
  const own = useOwnDatasetOf(record);
  const mayKeep = own === undefined ? passesRole(roles, "admin") && !isOwnCategory(category.id) : own.can !== "view";
  const initial = record.added?.computed?.find((one) => one.name === name);
  return (
    <AddColumnDialog
      opened={opened}
      {...columnsFor(record, name)}
      rows={record.results ?? []}
      zone={zone}
      head={head}
      {...(initial === undefined ? {} : { initial, title: `Change ${initial.name}`, saveLabel: "Save" })}
      onSave={async (column) => {
        await saveColumn(record, name, column);
        onClose();
      }}
      {...(mayKeep && {
        onKeep: async (column) => {
          await (await import("./keep-column.ts")).keepColumn(record, own, name, column);
          onClose();
        },
      })}
      onClose={onClose}
    />
  );
}

type KeepingKind = Extract<ResultsDialog, { kind: "save" | "board" | "alert" | "email" }>;

/** Keeps the search beyond this visit. */
function KeepingDialog({ dialog, ...rest }: { dialog: KeepingKind; opened: boolean; record: SearchRecord; onClose: () => void }) {
  switch (dialog.kind) {
    case "save":
      return <SaveFiltersDialog {...rest} />;
    case "board":
      return <AddToBoardDialog {...rest} graph={null} />;
    case "alert":
      return <AlertOfSearchDialog {...rest} figure={dialog.figure} />;
    case "email":
      return <SubscriptionOfSearchDialog {...rest} />;
    default:
      return dialog satisfies never;
  }
}

/** The dialogs of a results page, each mounted on first use. */
export function ResultsDialogs({ dialog, onClose, onDialog, record, editing, columns, visibleColumns, onCopyCurl, onSummarize }: Props) {
  const shown = useLastShown(dialog);
  const { category, datasetId } = record.datasetDescription;
  const opened = dialog !== null;
  const own = useOwnDatasetOf(record);
  if (!shown) return null;
  const kinds = (kind: "formula" | "lookup") => (
    <KindSwitch
      kind={kind}
      onChange={(chosen) => onDialog(chosen === "formula" ? { kind: "column", name: null } : { kind: "lookup", id: null, column: null })}
    />
  );
  switch (shown.kind) {
    case "schema":
      return <SchemaDialog opened={opened} description={record.datasetDescription} onClose={onClose} />;
    case "export":
      return (
        <ExportDialog
          opened={opened}
          categoryId={category.id}
          datasetId={datasetId}
          access={record.datasetDescription.access}
          visibleColumns={visibleColumns}
          rows={record.results ?? []}
          totalRows={knownTotal(record)}
          onCopyCurl={onCopyCurl}
          onClose={onClose}
        />
      );
    case "export-all":
      return (
        <ExportAllDialog opened={opened} record={record} visibleColumns={visibleColumns} totalRows={knownTotal(record)} onClose={onClose} />
      );
    case "export-summary":
      return (
        <ExportAllDialog
          opened={opened}
          record={record}
          table={shown.table}
          visibleColumns={visibleColumns}
          totalRows={knownTotal(record)}
          onClose={onClose}
        />
      );
    case "save":
    case "board":
    case "alert":
    case "email":
      return (
        <AskAboutCell key={shown.kind} opened={opened} record={record} onClose={onClose}>
          {(isOpen, kept) => <KeepingDialog dialog={shown} opened={isOpen} record={kept} onClose={onClose} />}
        </AskAboutCell>
      );
    case "share":
      return own && <ShareOwnDialog own={own} opened={opened} onClose={onClose} />;
    case "profile": {
      const { column } = shown;
      return (
        <ProfileDialog
          opened={opened}
          column={column}
          record={record}
          rows={record.results ?? []}
          onFilter={editing.canFilterOn(column) ? (value, operator) => editing.filterByValue(column, value, operator) : undefined}
          onClose={onClose}
        />
      );
    }
    case "column":
      return (
        <ColumnDialog
          key={shown.name}
          opened={opened}
          name={shown.name}
          record={record}
          head={shown.name === null && canAddLookup(record) ? kinds("formula") : undefined}
          onClose={onClose}
        />
      );
    case "lookup":
      return (
        <LookupOfSearchDialog
          key={shown.id ?? `by ${shown.column ?? ""}`}
          opened={opened}
          record={record}
          id={shown.id}
          column={shown.column}
          head={canCompute(record) ? kinds("lookup") : undefined}
          onSummarize={onSummarize}
          onClose={onClose}
        />
      );
    case "compare":
      return (
        <CompareDialog
          key={shown.indexes.join()}
          opened={opened}
          columns={columns}
          indexes={shown.indexes}
          rows={record.results ?? []}
          titleField={record.datasetDescription.titleField}
          onClose={onClose}
        />
      );
    case "text":
      return <FullTextDialog opened={opened} title={shown.title} text={shown.text} onClose={onClose} />;
    case "fileset":
      return (
        <FilesetDialog
          key={`${shown.fileset}/${shown.path}`}
          opened={opened}
          title={shown.title}
          fileset={shown.fileset}
          path={shown.path}
          onClose={onClose}
        />
      );
    case "location":
      return <LocationDialog opened={opened} title={shown.title} point={shown.point} onClose={onClose} />;
    default:
      return shown satisfies never;
  }
}
