import type { Column } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import { rowValue } from "#features/search/linked-datasets/link-filters.ts";
import { RowLinks } from "#features/search/linked-datasets/linked-datasets.tsx";
import { coarseColumnsOf } from "#parts/reader-part/coarse-columns.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { columnsNamed } from "#parts/search-model/columns-named.ts";
import { DetailPanel } from "#ui/kit/detail-panel.tsx";
import type { FilterEditing } from "./filter-editing.tsx";
import { ColumnEditor } from "./table/column-editor.tsx";
import { RowDetails } from "./table/row-details.tsx";
import { activeCell } from "./table/table-focus.ts";
import type { ResultColumns } from "./use-result-columns.ts";

/** The side panel that is open beside the rows. */
export type OpenSide = { kind: "columns" } | { kind: "row"; index: number; takesFocus: boolean } | null;

interface Props {
  record: SearchRecord;
  rows: readonly ResultRow[];
  columns: ResultColumns;
  editing: FilterEditing;
  /** False in views without rows. */
  shown: boolean;
  side: OpenSide;
  onSide: (side: OpenSide) => void;
  /** Opens the position or the file of a row. */
  onOpen: (column: Column, row: ResultRow) => void;
}

/** Side panels beside the rows: the column editor, or the details of a row. */
export function ResultSidePanels({
  record,
  rows,
  columns: { columns, layout, onLayoutChange },
  editing,
  shown,
  side,
  onSide,
  onOpen,
}: Props) {
  const { linkedDatasets, titleField, subtitleField } = record.datasetDescription;
  const row = side?.kind === "row" ? rows[side.index] : undefined;
  const close = () => onSide(null);
  return (
    <>
      <DetailPanel label="Columns" opened={shown && side?.kind === "columns"} width={280} onClose={close}>
        <ColumnEditor columns={columns} layout={layout} onLayoutChange={onLayoutChange} onClose={close} />
      </DetailPanel>
      <DetailPanel label="Row details" opened={shown && row !== undefined} width={360} onClose={close} returnTo={activeCell}>
        {row !== undefined && side?.kind === "row" && (
          <RowDetails
            columns={columnsNamed(columns, layout.order)}
            row={row}
            index={side.index}
            rowCount={rows.length}
            titleField={titleField}
            subtitleField={subtitleField}
            coarse={coarseColumnsOf(record.datasetDescription)}
            takesFocus={side.takesFocus}
            canFilter={editing.canFilterOn}
            onFilterValue={(column, operator) => editing.filterByValue(column, row[column.name], operator)}
            onOpen={(column) => onOpen(column, row)}
            onStep={(index) => onSide({ ...side, index })}
            onClose={close}
            links={linkedDatasets.length > 0 && <RowLinks links={linkedDatasets} valueOf={rowValue(row)} />}
          />
        )}
      </DetailPanel>
    </>
  );
}
