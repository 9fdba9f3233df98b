import { ownDatasetForm } from "@fairway/contract/own-dataset-form";
import type { OwnDataset } from "@fairway/contract/own-datasets";
import { Button } from "@mantine/core";
import { useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { refreshDatasets } from "#parts/own-datasets/queries.ts";
import { FormDialog, NameInput } from "#ui/kit/form-dialog.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";

/** Changes the title, which is shown in place of the name. Addresses keep the name. */
export function RenameButton({ own: { id, title, datasetId } }: { own: OwnDataset }) {
  const [isOpen, setOpen] = useState(false);
  const name = title || datasetId;
  return (
    <>
      <Button variant="default" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Rename
      </Button>
      <FormDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={`Rename ${name}`}
        initial={{ title: name }}
        canSave={({ title: typed }) => typed.trim() !== ""}
        save={async ({ title: typed }) => {
          const { settings, version } = await call(ownDatasetForm.one, { params: { id } });
          await call(ownDatasetForm.save, { params: { id }, body: { version, settings, title: typed.trim() } });
          toastSuccess("Renamed", 1200);
          setOpen(false);
          await refreshDatasets();
        }}
      >
        {({ field }) => (
          <NameInput {...field("title")} maxLength={100} description={`Addresses and programs keep the name ${datasetId}.`} />
        )}
      </FormDialog>
    </>
  );
}
