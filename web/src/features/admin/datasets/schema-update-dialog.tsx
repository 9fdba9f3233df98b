import { datasetAdministration, type SchemaChanges } from "@fairway/contract/dataset-administration";
import { Button, Progress, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { ErrorState } from "#ui/states.tsx";
import { refetchEntities } from "../entities/entity-calls.ts";
import type { EntityDialogProps, RowDialog } from "../entities/entity-dialog.ts";
import editor from "../editor/editor.module.css";

const pollIntervalMs = 500;

/** Reads a dataset's columns from its data again and shows progress and result. Closing the dialog does not stop the job. */
export default function SchemaUpdateDialog({ kind, dialog: { id }, opened, onClose }: EntityDialogProps<RowDialog>) {
  const started = useQuery({
    queryKey: ["admin", kind.type, "schema-update", id],
    queryFn: () => call(datasetAdministration.updateSchema, { params: { id } }),
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const jobId = started.data?.jobId;
  const job = useQuery({
    queryKey: ["admin", kind.type, "schema-update", id, jobId],
    queryFn: ({ signal }) => call(datasetAdministration.schemaUpdate, { params: { id, jobId: jobId ?? "" } }, { signal }),
    enabled: jobId !== undefined && started.data?.status === "running",
    refetchInterval: ({ state }) => (state.data === undefined || state.data.status === "running" ? pollIntervalMs : false),
    gcTime: 0,
  });
  const current = job.data ?? started.data;
  const isDone = current?.status === "done";
  useEffect(() => {
    if (isDone) void refetchEntities(kind);
  }, [isDone, kind]);
  const error = started.error ?? job.error;
  const problem = current?.status === "failed" ? [current.problem ?? "No details are available."] : error ? messagesOf(error) : null;

  return (
    <Dialog withCloseButton={false} opened={opened} onClose={onClose} title={`Update schema of ${id}`}>
      <Stack gap="lg">
        {problem ? (
          <ErrorState message="Schema Update Job Failed" details={problem} retryLabel="Run again" onRetry={() => void started.refetch()} />
        ) : isDone && current.result ? (
          <Changes result={current.result} />
        ) : (
          <div role="status">
            <p>{current?.progress.step ?? "Starting"}</p>
            <Progress
              aria-label="Progress"
              mt={8}
              value={current && current.progress.total > 0 ? (current.progress.done / current.progress.total) * 100 : 0}
            />
          </div>
        )}
        <div className={editor["footer"]}>
          <span />
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </div>
      </Stack>
    </Dialog>
  );
}

function Changes({ result: { added, removed, changed, unchanged, reading, leftOut, open } }: { result: SchemaChanges }) {
  const isSame = added.length + removed.length + changed.length === 0;
  return (
    <div role="status">
      <p>{isSame ? "The columns haven't changed." : "The columns are updated. Descriptions of columns that stay are kept."}</p>
      <ul>
        {added.length > 0 && <li>{`Added: ${added.join(", ")}`}</li>}
        {open !== undefined && <li>{`No access rule names them, so all readers see them: ${open.join(", ")}`}</li>}
        {removed.length > 0 && <li>{`Removed: ${removed.join(", ")}`}</li>}
        {changed.map(({ name, from, to }) => (
          <li key={name}>{`${name}: ${from} is now ${to}`}</li>
        ))}
        {leftOut?.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        <li>{`${unchanged} unchanged`}</li>
      </ul>
      {reading !== undefined && reading.length > 0 && (
        <>
          <p>The files no longer fit how they are read:</p>
          <ul>
            {reading.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
