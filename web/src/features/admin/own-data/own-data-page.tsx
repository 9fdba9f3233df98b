import { formatCount, pluralize } from "@fairway/contract/counts";
import { type AdministeredOwnDataset, ownDatasetAdministration } from "@fairway/contract/own-datasets";
import { dayText } from "@fairway/contract/utc-texts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { sizeText } from "#lib/text/size-text.ts";
import { localTime } from "#lib/time/local-time.ts";
import { browserZone } from "#lib/time/time-zone.ts";
import { refreshDatasets } from "#parts/own-datasets/queries.ts";
import { roomText } from "#parts/own-datasets/room-text.ts";
import type { TableColumn } from "#ui/kit/data-table.tsx";
import { ListScreen } from "#ui/kit/list-screen.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import { DatasetTabs } from "./dataset-tabs.tsx";
import { DeleteDialog, GiveAwayDialog, RoomDialog } from "./own-data-dialogs.tsx";
import classes from "./own-data.module.css";
import { allOwnDataQuery } from "./own-data-admin-queries.ts";

/** Use is counted by days of UTC; written like the times beside it. */
const dateOf = (epochMs: number): string => dayText(epochMs)?.replaceAll("/", "-") ?? "";

const stateText = ({ isEnabled, goneMs }: AdministeredOwnDataset): string =>
  goneMs !== null ? `Deleted, until ${localTime(goneMs)}` : isEnabled ? "" : "Disabled";

const columns: readonly TableColumn<AdministeredOwnDataset>[] = [
  { id: "name", header: "Name", isRowHeader: true, cell: ({ datasetId }) => datasetId },
  { id: "owner", header: "Owner", phoneLabel: "Owner", cell: ({ owner }) => owner?.username ?? "Without owner" },
  { id: "rows", header: "Rows", phoneLabel: "Rows", align: "end", tabular: true, cell: ({ rows }) => formatCount(rows) },
  { id: "size", header: "Size", phoneLabel: "Size", align: "end", nowrap: true, tabular: true, cell: ({ bytes }) => sizeText(bytes) },
  { id: "created", header: "Created", phoneLabel: "Created", nowrap: true, tabular: true, cell: ({ createdMs }) => localTime(createdMs) },
  {
    id: "lastUsed",
    header: "Last used",
    phoneLabel: "Last used",
    nowrap: true,
    tabular: true,
    cell: ({ lastUsedMs }) => (lastUsedMs === null ? "never" : dateOf(lastUsedMs)),
  },
  { id: "shares", header: "Shares", phoneLabel: "Shares", align: "end", tabular: true, cell: ({ shareCount }) => formatCount(shareCount) },
  { id: "state", header: "State", phoneLabel: "State", cell: stateText },
];

type DialogKind = "delete" | "give" | "room";

/** The datasets that users have brought, without a look into them. */
export function OwnDataPage() {
  const query = useQuery(allOwnDataQuery);
  const [dialog, setDialog] = useState<{ kind: DialogKind; of: AdministeredOwnDataset } | null>(null);
  const props = (kind: DialogKind) => ({
    dataset: dialog?.kind === kind ? dialog.of : null,
    onDone: refresh,
    onClose: () => setDialog(null),
  });
  return (
    <>
      <ListScreen
        title="Own data"
        subtitle={query.data && `${pluralize(query.data.datasets.length, "dataset")}, ${roomText(query.data)}. Times in ${browserZone()}`}
        query={query}
        loading={{ label: "Loading own data", rows: 10 }}
        failed="Failed to load own data"
        empty={{ text: "Nobody has brought data yet. Who holds the role 'data-upload' can." }}
        rowsOf={({ datasets }) => datasets}
        table={{
          columns,
          rowKey: ({ id }) => id,
          scroll: { role: "region", label: "Own data", fills: true },
          rowActions: {
            header: "Actions",
            className: classes["actions"],
            of: (dataset) => {
              const { datasetId: name, isEnabled, owner, goneMs } = dataset;
              const open = (kind: DialogKind) => () => setDialog({ kind, of: dataset });
              if (goneMs !== null) return [];
              const whose = owner === null ? name : `${name} of ${owner.username}`;
              return [
                {
                  label: `${isEnabled ? "Disable" : "Enable"} ${whose}`,
                  text: isEnabled ? "Disable" : "Enable",
                  run: () => void setEnabled(dataset),
                },
                { label: `Give away ${whose}`, text: "Give away", opensDialog: true, run: open("give") },
                ...(owner === null
                  ? []
                  : [{ label: `Set the room of ${owner.username}, for ${name}`, text: "Room", opensDialog: true, run: open("room") }]),
                { label: `Delete ${whose}`, text: "Delete", opensDialog: true, run: open("delete") },
              ];
            },
          },
          edges: "page",
          head: "panel",
          hasCardsOnPhone: true,
        }}
      >
        <DatasetTabs />
      </ListScreen>
      <DeleteDialog {...props("delete")} />
      <GiveAwayDialog {...props("give")} />
      <RoomDialog {...props("room")} />
    </>
  );
}

const refresh = async (): Promise<void> => {
  await Promise.all([queryClient.invalidateQueries(allOwnDataQuery), refreshDatasets()]);
};

async function setEnabled({ id, datasetId, isEnabled }: AdministeredOwnDataset): Promise<void> {
  try {
    await call(ownDatasetAdministration.setEnabled, { params: { id }, body: { enabled: !isEnabled } });
    toastSuccess(`${datasetId} ${isEnabled ? "disabled" : "enabled"}`, 1200);
    await refresh();
  } catch (error) {
    toastError("Change Failed", messagesOf(error).join(" "));
  }
}
