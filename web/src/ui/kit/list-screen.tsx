import type { ReactNode } from "react";
import { PageHeader } from "#ui/page-header.tsx";
import { DataTable, type DataTableProps } from "./data-table.tsx";
import { QueryState, type QueryStateProps } from "./query-state.tsx";

interface Props<Data, Row> extends Omit<QueryStateProps<Data>, "children" | "isEmpty"> {
  title: string;
  subtitle?: ReactNode;
  /** In the header: a filter, and buttons for the whole list. */
  actions?: ReactNode;
  /** Between the header and the list, such as tabs. */
  children?: ReactNode;
  rowsOf: (data: Data) => readonly Row[];
  table: Omit<DataTableProps<Row>, "rows" | "after">;
  /** Note below a list that is cut. */
  cutNote?: (data: Data) => string | undefined;
}

/** A screen that is one list: its header, what its query has, and the table. */
export function ListScreen<Data, Row>({ title, subtitle, actions, children, rowsOf, table, cutNote, ...state }: Props<Data, Row>) {
  return (
    <>
      <PageHeader title={title} subtitle={subtitle}>
        {actions}
      </PageHeader>
      {children}
      <QueryState {...state} isEmpty={(data) => rowsOf(data).length === 0}>
        {(data) => {
          const note = cutNote?.(data);
          return <DataTable {...table} rows={rowsOf(data)} after={note !== undefined && <p>{note}</p>} />;
        }}
      </QueryState>
    </>
  );
}
