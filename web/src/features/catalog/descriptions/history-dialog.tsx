import { passesRole } from "@fairway/contract/access";
import { type DescriptionLayer, type DescriptionRevision, descriptions, schemaEditRole } from "@fairway/contract/descriptions";
import { pluralize } from "@fairway/contract/counts";
import type { DatasetRef, DatasetSchema } from "@fairway/contract/datasets";
import { Box, Button, Text } from "@mantine/core";
import { IconHistory } from "#ui/icons/history.ts";
import { IconRestore } from "#ui/icons/restore.ts";
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { localTime } from "#lib/time/local-time.ts";
import { browserZone } from "#lib/time/time-zone.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { WithoutData } from "#ui/kit/query-state.tsx";
import { EmptyState, ErrorState, LoadingRows } from "#ui/states.tsx";
import { ChangedDescriptions } from "./changed-descriptions.tsx";
import { changesBetween, type DescriptionChange } from "./description-changes.ts";
import { layerOf } from "./description-draft.ts";
import type { SchemaDialogProps } from "./schema-dialog.ts";
import { useSaveChanges } from "./save-changes.ts";
import classes from "./descriptions.module.css";

const revisionsQuery = ({ datasetCategory: category, datasetId }: DatasetRef) =>
  infiniteQueryOptions({
    queryKey: ["datasets", "description-revisions", category, datasetId],
    queryFn: ({ pageParam, signal }) =>
      call(
        descriptions.communityRevisions,
        { params: { category, datasetId }, query: pageParam === null ? {} : { before: pageParam } },
        { signal },
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (last): number | undefined => {
      const version = last.at(-1)?.version ?? 1;
      return version > 1 ? version : undefined;
    },
    staleTime: 0,
    gcTime: 0,
  });

/** Changes of community descriptions with their authors, and a way to restore them. */
export default function HistoryDialog({ opened, onClose, ...props }: SchemaDialogProps) {
  const { datasetId } = props.schema.dataset;
  return (
    <Dialog opened={opened} onClose={onClose} title={`History of community descriptions of ${datasetId}`} size={920} fillsPhone>
      {opened && <History {...props} />}
    </Dialog>
  );
}

function History({ schema, etag }: Pick<SchemaDialogProps, "schema" | "etag">) {
  const revisions = useInfiniteQuery(revisionsQuery(schema.dataset));
  const [selected, select] = useAddressedRevision();
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = revisions;
  const all = revisions.data?.pages.flat();
  const shown = selected ?? all?.[0]?.version;
  const revision = all?.find(({ version }) => version === shown);
  const before = revision && stateBefore(revision, all ?? []);
  // A linked revision, and the state before the last one that is listed, are on a later page.
  const needsMore = all !== undefined && all.length > 0 && before === undefined && hasNextPage && !isFetchingNextPage && !isError;
  useEffect(() => {
    if (needsMore) void fetchNextPage();
  }, [needsMore, fetchNextPage]);
  if (all === undefined)
    return <WithoutData query={revisions} loading={{ label: "Loading the history", rows: 6 }} failed="The history could not be loaded." />;
  if (all.length === 0) {
    return (
      <EmptyState icon={<IconHistory size={24} stroke={1.5} aria-hidden />}>
        No one has saved community descriptions for this dataset yet.
      </EmptyState>
    );
  }
  return (
    <div className={classes["columns"]}>
      <div className={classes["list"]}>
        <Text px="sm" pb="xs" c="dimmed" fz="xs">{`Times in ${browserZone()}`}</Text>
        <ul aria-label="Revisions">
          {all.map(({ version, savedMs, username, suggestedBy }) => (
            <li key={version}>
              <button type="button" aria-pressed={version === shown} onClick={() => select(version)}>
                <span>{localTime(savedMs)}</span>
                <span className={classes["author"]}>
                  {suggestedBy === null ? `by ${username}` : `suggested by ${suggestedBy}, approved by ${username}`}
                </span>
              </button>
            </li>
          ))}
        </ul>
        {hasNextPage && (
          <Button variant="default" size="compact-sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older
          </Button>
        )}
      </div>
      <Box miw={0}>
        {isError && (
          <ErrorState
            message="Older revisions could not be loaded."
            details={messagesOf(revisions.error)}
            onRetry={() => void fetchNextPage()}
          />
        )}
        {revision && (before !== undefined || !hasNextPage) ? (
          <Change key={revision.version} schema={schema} etag={etag} revision={revision} before={before} />
        ) : hasNextPage ? (
          !isError && <LoadingRows label="Loading the change" rows={6} />
        ) : (
          <EmptyState>This revision is no longer available. Choose another one.</EmptyState>
        )}
      </Box>
    </div>
  );
}

const nothing: DescriptionLayer = { description: "", columns: [] };

/** Undefined if it is not loaded, or no longer kept. */
const stateBefore = ({ version }: DescriptionRevision, all: readonly DescriptionRevision[]): DescriptionLayer | undefined =>
  version === 1 ? nothing : all.find((other) => other.version === version - 1);

interface ChangeProps {
  schema: DatasetSchema;
  etag: string;
  revision: DescriptionRevision;
  before: DescriptionLayer | undefined;
}

function Change({ schema, etag, revision, before }: ChangeProps) {
  const { roles } = useCurrentUser();
  const mayRestore = passesRole(roles, schemaEditRole);
  const changes = changesBetween(before ?? nothing, revision);
  const current = layerOf("community", schema);
  const toRestore = changesBetween(current, revision);
  const texts = new Map(toRestore.map((change) => [change.column, change]));
  const { save, isSaving } = useSaveChanges("community", schema, etag, "Descriptions restored");
  const restore = async (restored: readonly DescriptionChange[], text: string) => {
    if (await confirm({ title: "Restore these descriptions?", text, confirmLabel: "Restore" })) await save(restored);
  };
  const restoreOne = ({ column }: DescriptionChange) => {
    const one = texts.get(column);
    if (!mayRestore || one === undefined) return null;
    const name = column ?? "the dataset";
    return (
      <Button
        variant="default"
        size="compact-sm"
        disabled={isSaving}
        aria-label={`Restore only ${name}`}
        onClick={() => void restore([one], `The community description of ${name} goes back to what it was then. Others stay as they are.`)}
      >
        Restore only this
      </Button>
    );
  };
  return (
    <>
      {before === undefined && (
        <p className={classes["note"]}>The previous version is no longer available. These are all the descriptions from then.</p>
      )}
      {changes.length === 0 ? (
        <p className={classes["note"]}>No description of a current column changed.</p>
      ) : (
        <ChangedDescriptions names={["Before", "After"]} changes={changes} action={restoreOne} />
      )}
      <div className={classes["footer"]}>
        {toRestore.length === 0 ? (
          <span>Current version</span>
        ) : (
          <>
            <span>{`${pluralize(toRestore.length, "description differs", "descriptions differ")} from the current version.`}</span>
            {mayRestore && (
              <Button
                variant="default"
                leftSection={<IconRestore size={16} aria-hidden />}
                loading={isSaving}
                onClick={() =>
                  void restore(
                    toRestore,
                    `${pluralize(toRestore.length, "community description")} of ${schema.dataset.datasetId} ${toRestore.length === 1 ? "becomes what it was" : "become what they were"} then. The current version stays in the history.`,
                  )
                }
              >
                Restore this version
              </Button>
            )}
          </>
        )}
      </div>
    </>
  );
}

/** The selected revision, which the address holds. */
function useAddressedRevision(): [number | null, (version: number) => void] {
  const { revision }: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const select = (version: number) =>
    void navigate({ to: ".", search: (search: Record<string, unknown>) => ({ ...search, revision: String(version) }), replace: true });
  return [typeof revision === "string" && /^\d{1,9}$/.test(revision) ? Number(revision) : null, select];
}
