import { datasetAdministration } from "@fairway/contract/dataset-administration";
import type { ReadingChoices } from "@fairway/contract/readings";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { ErrorState, LoadingRows } from "#ui/states.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { sameContent, UnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import editor from "../editor/editor.module.css";
import { editEntity } from "../entities/entity-calls.ts";
import type { EntityDialogProps, RowDialog } from "../entities/entity-dialog.ts";
import { SaveFailure } from "../editor/save-failure.tsx";
import { useLastData } from "../datasets/use-last-data.ts";
import { SampleRows } from "../datasets/sample-rows.tsx";
import { ReadingChanges } from "#parts/reading/reading-changes.tsx";
import { ReadingReport } from "#parts/reading/reading-report.tsx";
import { browserHints } from "#parts/reading/reading-words.ts";
import classes from "#parts/reading/reading.module.css";

/** The reading of a dataset's files. Saving stores it, so that later files are read in the same way. */
export default function ReadingDialog({ kind, dialog: { id, entity }, opened, onClose }: EntityDialogProps<RowDialog>) {
  const [choices, setChoices] = useState<ReadingChoices>({});
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["admin", kind.type, "reading", id, choices],
    queryFn: ({ signal }) => call(datasetAdministration.reading, { params: { id }, body: { choices, hints: browserHints() } }, { signal }),
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const last = useLastData(id, data);
  const [failure, setFailure] = useState<{ title: string; messages: readonly string[] } | null>(null);
  const [isSaving, setSaving] = useState(false);
  const isReady = data !== undefined && !isFetching && error === null;
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!isReady) return;
    setSaving(true);
    setFailure(null);
    try {
      // The columns follow from the reading: both are saved together.
      const schema = data.columns === undefined ? {} : { schema: { columns: data.columns } };
      await editEntity(kind, { ...entity, source: { ...(entity["source"] as object), reading: data.stored }, ...schema });
      toastSuccess("Reading saved", 1200);
      onClose();
    } catch (cause) {
      setFailure({ title: "Save Failed", messages: messagesOf(cause) });
    }
    setSaving(false);
  };
  return (
    <Dialog opened={opened} onClose={onClose} title={`How the files of ${id} are read`} size={920} fillsPhone closeOnClickOutside={false}>
      <UnsavedChanges when={!sameContent(choices, {})} />
      <form onSubmit={(event) => void save(event)} noValidate>
        <div className={classes["report"]}>
          <p role="status">{last && isFetching ? "Reading the data again" : ""}</p>
          {error && !isFetching && (
            <ErrorState
              message={last ? "The data can't be read with these choices." : "The data could not be read."}
              details={messagesOf(error)}
              onRetry={() => void refetch()}
            />
          )}
          {!last && isFetching && <LoadingRows label="Reading the data" rows={8} />}
          {last && (
            <>
              {!last.isStored && (
                <p>These settings aren't saved yet, so they are detected again each time. Save to use them for later files as well.</p>
              )}
              {last.differences.length > 0 && (
                <ul className={classes["differences"]} aria-label="What no longer fits">
                  {last.differences.map((difference) => (
                    <li key={difference}>{difference}</li>
                  ))}
                </ul>
              )}
              <ReadingReport reading={last.reading} choices={choices} onChoices={setChoices} />
              {last.changes && <ReadingChanges changes={last.changes} />}
              {last.columns && last.sample && <SampleRows columns={last.columns} rows={last.sample} />}
            </>
          )}
        </div>
        <SaveFailure failure={failure} />
        <div className={editor["footer"]}>
          <span />
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isSaving} disabled={!isReady}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
