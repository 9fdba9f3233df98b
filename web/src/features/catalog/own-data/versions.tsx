import { formatCount, pluralize } from "@fairway/contract/counts";
import { type OwnDatasetVersion, ownDatasets } from "@fairway/contract/own-datasets";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { sizeText } from "#lib/text/size-text.ts";
import { refreshDatasets } from "#parts/own-datasets/queries.ts";
import { DataTable, type TableColumn } from "#ui/kit/data-table.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { RelativeTime } from "#ui/relative-time.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import { versionsQuery } from "./own-data-queries.ts";

const kinds: Readonly<Record<OwnDatasetVersion["kind"], string>> = {
  created: "Created",
  appended: "Rows appended",
  replaced: "Rows replaced",
  restored: "Gone back",
  "read-again": "Read in another way",
};

const columns: readonly TableColumn<OwnDatasetVersion>[] = [
  {
    id: "version",
    header: "Version",
    isRowHeader: true,
    cell: ({ version, isCurrent }) => (isCurrent ? `${version} (current)` : String(version)),
  },
  { id: "kind", header: "Change", cell: ({ kind }) => kinds[kind] },
  { id: "rows", header: "Rows", phoneLabel: "Rows", align: "end", tabular: true, cell: ({ rows }) => formatCount(rows) },
  { id: "bytes", header: "Size", phoneLabel: "Size", align: "end", tabular: true, cell: ({ bytes }) => sizeText(bytes) },
  {
    id: "files",
    header: "Files",
    phoneLabel: "Files",
    cell: ({ files: [first, ...others] }) => [first?.file, others.length > 0 && `${others.length} more`].filter(Boolean).join(", "),
  },
  { id: "created", header: "When", nowrap: true, cell: ({ createdMs }) => <RelativeTime epochMs={createdMs} /> },
  { id: "by", header: "By", phoneLabel: "By", cell: ({ by }) => by ?? "a deleted account" },
];

/** The versions of the rows, with a way back to those that are kept. */
export function Versions({ id }: { id: string }) {
  const queries = useQueryClient();
  const goBack = async (version: number) => {
    try {
      queries.setQueryData(versionsQuery(id).queryKey, await call(ownDatasets.goBack, { params: { id, n: String(version) } }));
      toastSuccess(`Back to version ${version}`);
      await refreshDatasets();
    } catch (error) {
      toastError("Go Back Failed", messagesOf(error).join(" "));
    }
  };
  return (
    <QueryState
      query={useQuery(versionsQuery(id))}
      loading={{ label: "Loading the versions", rows: 2 }}
      failed="Failed to load the versions"
    >
      {(versions) => (
        <DataTable
          columns={columns}
          rows={versions}
          rowKey={({ version }) => version}
          label={pluralize(versions.length, "version")}
          edges="flush"
          head="line"
          rowActions={{
            header: "Actions",
            of: ({ version, isCurrent, isKept }) =>
              isCurrent || !isKept ? [] : [{ label: `Go back to version ${version}`, text: "Go back", run: () => void goBack(version) }],
          }}
          hasCardsOnPhone
        />
      )}
    </QueryState>
  );
}
