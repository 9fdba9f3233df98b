import type { OwnedApiKey } from "@fairway/contract/api-keys";
import { useQuery } from "@tanstack/react-query";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { localTime } from "#lib/time/local-time.ts";
import { browserZone } from "#lib/time/time-zone.ts";
import { UsersTabs } from "#parts/users-tabs/users-tabs.tsx";
import { confirm } from "#ui/dialog/confirm.ts";
import type { TableColumn } from "#ui/kit/data-table.tsx";
import { ListScreen } from "#ui/kit/list-screen.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import { allKeysQuery, revokeKey } from "./all-keys-queries.ts";
import { OwnerName } from "./owner-name.tsx";

const timeText = (epochMs: number | null): string => (epochMs === null ? "never" : localTime(epochMs));

const columns: readonly TableColumn<OwnedApiKey>[] = [
  { id: "owner", header: "Owner", cell: OwnerName },
  { id: "name", header: "Name", cell: ({ name }) => name },
  { id: "key", header: "Key", cell: ({ key }) => key },
  {
    id: "access",
    header: "Access",
    cell: ({ datasets, filesets, ecosystems }) => [...datasets.map(({ datasetId }) => datasetId), ...filesets, ...ecosystems].join(", "),
  },
  { id: "lastUsed", header: "Last used", cell: ({ lastUsedMs }) => timeText(lastUsedMs), nowrap: true, tabular: true },
  { id: "expires", header: "Expires", cell: ({ expiresAtMs }) => timeText(expiresAtMs), nowrap: true, tabular: true },
];

/** The API keys of all users, with their owners. */
export function AllKeysPage() {
  return (
    <ListScreen
      title="API Keys of all users"
      subtitle={`Times in ${browserZone()}`}
      query={useQuery(allKeysQuery)}
      loading={{ label: "Loading API keys", rows: 10 }}
      failed="Failed to load API Keys"
      empty={{ text: "No API keys yet. Users create them under Profile, API Keys." }}
      rowsOf={(keys) => keys}
      table={{
        columns,
        rowKey: ({ id }) => id,
        scroll: { role: "region", label: "API keys", fills: true },
        rowActions: {
          header: "Actions",
          of: (key) => [{ label: `Revoke ${key.name} of ${key.owner.username}`, text: "Revoke", run: () => void revoke(key) }],
        },
        edges: "page",
        head: "panel",
        phonePx: 1100,
      }}
    >
      <UsersTabs />
    </ListScreen>
  );
}

async function revoke({ id, name, owner }: OwnedApiKey): Promise<void> {
  const confirmed = await confirm({
    title: `Revoke ${name} of ${owner.username}?`,
    text: "Programs using this key stop working. This can't be undone.",
    confirmLabel: "Revoke",
    destructive: true,
  });
  if (!confirmed) return;
  try {
    await revokeKey(id);
    toastSuccess(`${name} revoked`, 1200);
  } catch (error) {
    toastError("Delete Failed", messagesOf(error).join(" "));
  }
}
