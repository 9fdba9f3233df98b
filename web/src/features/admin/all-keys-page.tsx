import { apiKeyAdministration, type OwnedApiKey } from "@fairway/contract/api-keys";
import { Button } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "#lib/call.ts";
import { messagesOf } from "#lib/gateway-error.ts";
import { localTime, localZone } from "#lib/local-time.ts";
import { queryClient } from "#lib/query-client.ts";
import { confirm } from "#ui/confirm.ts";
import { UsersTabs } from "#parts/users-tabs/users-tabs.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { EmptyState, ErrorState, LoadingRows } from "#ui/states.tsx";
import { toastError, toastSuccess } from "#ui/toast.ts";
import classes from "./all-keys.module.css";

const keysQuery = queryOptions({
  queryKey: ["admin", "apiKeys"],
  queryFn: ({ signal }) => call(apiKeyAdministration.list, {}, { signal }),
  staleTime: 0,
});

async function revoke({ id, name, owner }: OwnedApiKey): Promise<void> {
  const confirmed = await confirm({
    title: `Revoke ${name} of ${owner.username}?`,
    text: "Programs using this key stop working. This can't be undone.",
    confirmLabel: "Revoke",
    destructive: true,
  });
  if (!confirmed) return;
  try {
    await call(apiKeyAdministration.revoke, { params: { id } });
    queryClient.setQueryData(keysQuery.queryKey, (keys) => keys?.filter((key) => key.id !== id));
    toastSuccess(`${name} revoked`, 1200);
  } catch (error) {
    toastError("Delete Failed", messagesOf(error).join(" "));
  }
}

const timeText = (epochMs: number | null): string => (epochMs === null ? "never" : localTime(epochMs));

/** The API keys of all users, with their owners. */
export function AllKeysPage() {
  const query = useQuery(keysQuery);
  return (
    <>
      <PageHeader title="API Keys of all users" subtitle={`Times in ${localZone()}`} />
      <UsersTabs />
      {query.isPending ? (
        <LoadingRows label="Loading API keys" rows={10} />
      ) : query.data === undefined ? (
        <ErrorState message="Failed to load API Keys" details={messagesOf(query.error)} onRetry={() => void query.refetch()} />
      ) : query.data.length === 0 ? (
        <EmptyState>No API keys yet. Users create them under Profile, API Keys.</EmptyState>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
        <div className={classes["table"]} tabIndex={0} role="region" aria-label="API keys">
          <table>
            <thead>
              <tr>
                {["Owner", "Name", "Key", "Access", "Last used", "Expires"].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {query.data.map((key) => (
                <tr key={key.id}>
                  <td>
                    {key.owner.username}
                    {key.owner.locked && <span className={classes["muted"]}> locked</span>}
                  </td>
                  <td>{key.name}</td>
                  <td>{key.key}</td>
                  <td>{scopeText(key)}</td>
                  <td className={classes["nowrap"]}>{timeText(key.lastUsedMs)}</td>
                  <td className={classes["nowrap"]}>{timeText(key.expiresAtMs)}</td>
                  <td>
                    <Button
                      variant="default"
                      size="xs"
                      aria-label={`Revoke ${key.name} of ${key.owner.username}`}
                      onClick={() => void revoke(key)}
                    >
                      Revoke
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

const scopeText = ({ datasets, filesets, ecosystems }: OwnedApiKey): string =>
  [...datasets.map(({ datasetId }) => datasetId), ...filesets, ...ecosystems].join(", ");
