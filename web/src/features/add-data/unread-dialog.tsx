import { formatCount } from "@fairway/contract/counts";
import { type ImportedRow, imports } from "@fairway/contract/imports";
import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { DataTable, type TableColumn } from "#ui/kit/data-table.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import classes from "./add-data.module.css";

interface Props {
  importId: string;
  opened: boolean;
  /** Null: of all columns, and lines. */
  column: string | null;
  onClose: () => void;
}

const columns: readonly TableColumn<ImportedRow>[] = [
  { id: "line", header: "Line", align: "end", tabular: true, cell: ({ line }) => (line === null ? "" : formatCount(line)) },
  { id: "column", header: "Column", cell: ({ column }) => column ?? "The whole line" },
  {
    id: "text",
    header: "Text",
    cell: ({ text, reason }) => (
      <>
        <code>{text}</code>
        {reason !== undefined && <small> {reason}</small>}
      </>
    ),
  },
];

/** Values and lines that could not be read, page by page. */
export function UnreadDialog({ importId, opened, column, onClose }: Props) {
  const query = useInfiniteQuery({
    queryKey: ["imports", importId, "unreadable", column],
    queryFn: ({ pageParam, signal }) =>
      call(
        imports.rows,
        { params: { id: importId }, query: { only: "unreadable", from: pageParam, ...(column === null ? {} : { column }) } },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: ({ rows, total }, _, from) => (from + rows.length < total && rows.length > 0 ? from + rows.length : null),
    enabled: opened,
    gcTime: 0,
  });
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={column === null ? "Could not be read" : `Could not be read: ${column}`}
      size={720}
      fillsPhone
    >
      <QueryState
        query={query}
        loading={{ label: "Loading what could not be read", rows: 8 }}
        failed="Failed to load what could not be read"
      >
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.rows);
          return (
            <>
              <DataTable
                columns={columns}
                rows={rows}
                rowKey={(_, index) => index}
                scroll={{ role: "region", label: "Could not be read", className: classes["unreadRows"] }}
                head="panel"
              />
              <div className={classes["dialogFoot"]}>
                <span>{`${formatCount(rows.length)} of ${formatCount(pages[0]?.total ?? 0)}`}</span>
                {query.hasNextPage && (
                  <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                    Load More
                  </Button>
                )}
                <Button onClick={onClose}>Done</Button>
              </div>
            </>
          );
        }}
      </QueryState>
    </Dialog>
  );
}
