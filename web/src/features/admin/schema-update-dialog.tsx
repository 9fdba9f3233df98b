import { datasetAdministration, type SchemaChanges } from "@fairway/contract/dataset-administration";
import { Button, Progress } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { call } from "#lib/call.ts";
import { messagesOf } from "#lib/gateway-error.ts";
import { Dialog } from "#ui/dialog.tsx";
import { ErrorState } from "#ui/states.tsx";
import { freshEntities } from "./entity-calls.ts";
import type { EntityDialogProps, RowDialog } from "./entity-dialog.ts";
import editor from "./editor.module.css";
import classes from "./forms.module.css";

const askEveryMs = 500;

/** Reads a dataset's columns from its data again: how far the job is, and what it found. Closing leaves it running. */
export default function SchemaUpdateDialog({ kind, dialog: { id }, opened, onClose }: EntityDialogProps<RowDialog>) {
  const begun = useQuery({
    queryKey: ["admin", kind.type, "schema-update", id],
    queryFn: () => call(datasetAdministration.updateSchema, { params: { id } }),
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const jobId = begun.data?.jobId;
  const job = useQuery({
    queryKey: ["admin", kind.type, "schema-update", id, jobId],
    queryFn: ({ signal }) => call(datasetAdministration.schemaUpdate, { params: { id, jobId: jobId ?? "" } }, { signal }),
    enabled: jobId !== undefined && begun.data?.status === "running",
    refetchInterval: ({ state }) => (state.data === undefined || state.data.status === "running" ? askEveryMs : false),
    gcTime: 0,
  });
  const now = job.data ?? begun.data;
  const isDone = now?.status === "done";
  useEffect(() => {
    if (isDone) void freshEntities(kind);
  }, [isDone, kind]);
  const error = begun.error ?? job.error;
  const problem = now?.status === "failed" ? [now.problem ?? "Nothing more is known."] : error ? messagesOf(error) : null;

  return (
    <Dialog withCloseButton={false} opened={opened} onClose={onClose} title={`Update schema of ${id}`}>
      <div className={classes["form"]}>
        {problem ? (
          <ErrorState message="Schema Update Job Failed" details={problem} retryLabel="Run again" onRetry={() => void begun.refetch()} />
        ) : isDone && now.result ? (
          <Changes result={now.result} />
        ) : (
          <div role="status">
            <p>{now?.progress.step ?? "Starting"}</p>
            <Progress
              aria-label="Progress"
              mt={8}
              value={now && now.progress.total > 0 ? (now.progress.done / now.progress.total) * 100 : 0}
            />
          </div>
        )}
        <div className={editor["foot"]}>
          <span />
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Changes({ result: { added, removed, changed, unchanged } }: { result: SchemaChanges }) {
  const isSame = added.length + removed.length + changed.length === 0;
  return (
    <div role="status">
      <p>{isSame ? "The columns are as they were." : "The columns are updated. Descriptions of those that stay are kept."}</p>
      <ul>
        {added.length > 0 && <li>{`Added: ${added.join(", ")}`}</li>}
        {removed.length > 0 && <li>{`Removed: ${removed.join(", ")}`}</li>}
        {changed.map(({ name, from, to }) => (
          <li key={name}>{`${name}: ${from} is now ${to}`}</li>
        ))}
        <li>{`${unchanged} unchanged`}</li>
      </ul>
    </div>
  );
}
