import type { Column } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import { Checkbox, Flex } from "@mantine/core";
import { useState } from "react";
import { cellText, readsAsCode } from "#lib/text/cell-text.ts";
import { useResultZone } from "#lib/time/result-zone.ts";
import { Breakable } from "#ui/breakable.tsx";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { DataTable, type TableColumn } from "#ui/kit/data-table.tsx";
import { NoValue } from "#features/search/results/table/table-cell.tsx";
import classes from "./compare.module.css";

interface Props {
  opened: boolean;
  columns: readonly Column[];
  /** Indexes among the loaded rows. */
  indexes: readonly number[];
  rows: readonly ResultRow[];
  titleField: string | null;
  onClose: () => void;
}

interface ComparedField {
  column: Column;
  /** By row. */
  texts: readonly (string | null)[];
  differs: boolean;
}

/** Rows side by side, a line for each field. Fields that differ are marked. */
export function CompareDialog({ opened, columns, indexes, rows, titleField, onClose }: Props) {
  const zone = useResultZone();
  const [onlyDifferences, setOnlyDifferences] = useState(false);
  const compared = indexes.flatMap((index) => {
    const row = rows[index];
    return row === undefined ? [] : [{ index, row }];
  });
  const fields = columns.map((column): ComparedField => {
    const texts = compared.map(({ row }) => cellText(column, row, zone));
    return { column, texts, differs: texts.some((text) => text !== texts[0]) };
  });
  const differing = fields.filter(({ differs }) => differs);
  const titleColumn = columns.find(({ name }) => name === titleField);
  return (
    <Dialog opened={opened} onClose={onClose} title={`Compare ${compared.length} rows`} size={Math.max(560, 200 + compared.length * 190)}>
      <Flex rowGap="sm" columnGap="lg" align="center" justify="space-between" wrap="wrap" mb="md" c="dimmed" fz="xs">
        <span>
          {differing.length} of {fields.length} fields differ
        </span>
        <Checkbox
          label="Only differences"
          checked={onlyDifferences}
          onChange={(event) => setOnlyDifferences(event.currentTarget.checked)}
        />
      </Flex>
      <DataTable
        columns={columnsOf(compared, titleColumn, zone)}
        rows={onlyDifferences ? differing : fields}
        rowKey={({ column }) => column.name}
        marks={({ differs }) => ({ "data-differs": differs || undefined })}
        scroll={{ role: "region", label: "Compared rows", className: classes["scroller"] }}
        edges="flush"
        hasStickyHead
        className={classes["table"]}
      />
    </Dialog>
  );
}

const columnsOf = (
  compared: readonly { index: number; row: ResultRow }[],
  titleColumn: Column | undefined,
  zone: string,
): readonly TableColumn<ComparedField>[] => [
  {
    id: "field",
    header: "Field",
    isRowHeader: true,
    cell: ({ column, differs }) => (
      <>
        <Breakable text={column.name} />
        {differs && <span className="visually-hidden"> (differs)</span>}
      </>
    ),
  },
  ...compared.map(({ index, row }, position): TableColumn<ComparedField> => ({
    id: `row ${index}`,
    header: (
      <>
        {(titleColumn && cellText(titleColumn, row, zone)) ?? "Row"} <small>row {(index + 1).toLocaleString("en-US")}</small>
      </>
    ),
    cellClassName: ({ column }) => (readsAsCode(column) ? classes["code"] : undefined),
    cell: ({ texts }) => texts[position] ?? <NoValue />,
  })),
];
