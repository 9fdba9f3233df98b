import { columnTitle, columnType, columnTypeCode } from "@fairway/contract/columns";
import type { DatasetSchema } from "@fairway/contract/datasets";
import { type ResultRow, search } from "@fairway/contract/search";
import { useQuery } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { cutText, valueText } from "#lib/text/cell-text.ts";
import { canSucceedLater } from "#lib/gateway/gateway-error.ts";
import { DataTable, type TableColumn } from "#ui/kit/data-table.tsx";
import { WithoutData } from "#ui/kit/query-state.tsx";
import { EmptyState } from "#ui/states.tsx";
import classes from "./schema.module.css";

/** A wider table would slow the page down. */
const maxColumns = 60;
const maxCharacters = 120;

/** A few rows of a dataset as a table. Times are in UTC. */
export default function SampleRows({ schema }: { schema: DatasetSchema }) {
  const { datasetCategory: category, datasetId } = schema.dataset;
  const query = useQuery({
    queryKey: ["datasets", "sample", category, datasetId],
    queryFn: ({ signal }) => call(search.sample, { params: { category, datasetId } }, { signal }),
    staleTime: 60_000,
    gcTime: 60_000,
    retry: false,
  });
  if (query.data === undefined) {
    const loading = { label: "Loading sample rows", rows: 6 };
    return <WithoutData query={query} loading={loading} failed="Error Loading Sample Rows" canRetry={canSucceedLater} />;
  }
  const rows = query.data.results;
  if (rows.length === 0) return <EmptyState>The dataset has no rows.</EmptyState>;
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  // Combined columns have no value of their own.
  const columns = schema.columns.filter(({ name }) => names.has(name));
  const shown = columns.slice(0, maxColumns);
  return (
    <>
      {shown.length < columns.length && (
        <p className={classes["sampleRowsNote"]}>{`The first ${shown.length} of ${columns.length.toLocaleString("en-US")} columns.`}</p>
      )}
      <DataTable
        columns={shown.map(({ name, label, type, day }): TableColumn<ResultRow> => ({
          id: name,
          header: columnTitle({ name, label }),
          align: isNumeric(type) ? "end" : undefined,
          cell: (row) => {
            const text = valueText({ type: typeOf(type), day }, row[name] ?? null);
            return text === null ? null : cutText(text, maxCharacters).text;
          },
        }))}
        rows={rows}
        // Rows have no key and never move.
        rowKey={(_, index) => index}
        scroll={{ role: "region", label: "Sample rows", className: classes["sampleRowsScroll"] }}
        head="panel"
        holdsValues
        className={classes["table"]}
      />
    </>
  );
}

const isNumeric = (code: number): boolean => code === columnTypeCode.integer || code === columnTypeCode.decimal;
const typeOf = (code: number) => columnType.options.find((type) => columnTypeCode[type] === code) ?? "STRING";
