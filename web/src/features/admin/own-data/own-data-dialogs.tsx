import { type AdministeredOwnDataset, ownDatasetAdministration, ownDatasets } from "@fairway/contract/own-datasets";
import type { ShareCandidate } from "@fairway/contract/sharing";
import { NumberInput, Textarea } from "@mantine/core";
import { call } from "#lib/gateway/call.ts";
import { ShareBox } from "#parts/sharing/share-box.tsx";
import { FormDialog } from "#ui/kit/form-dialog.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { useLastShown } from "#ui/use-last-shown.ts";

interface Props {
  /** Null closes. */
  dataset: AdministeredOwnDataset | null;
  onDone: () => Promise<void>;
  onClose: () => void;
}

const gigabyte = 1_000_000_000;
const emptyRoom: { gigabytes: number | string } = { gigabytes: "" };
const nobodyTaken: ReadonlySet<string> = new Set();

/** Deletes a dataset with a reason, which its owner is told. */
export function DeleteDialog({ dataset, onDone, onClose }: Props) {
  const shown = useLastShown(dataset);
  if (shown === null) return null;
  return (
    <FormDialog
      opened={dataset !== null}
      onClose={onClose}
      title={`Delete ${shown.datasetId}`}
      initial={{ reason: "" }}
      canSave={({ reason }) => reason.trim() !== ""}
      saveLabel="Delete"
      save={async ({ reason }) => {
        await call(ownDatasetAdministration.remove, { params: { id: shown.id }, body: { reason: reason.trim() } });
        toastSuccess(`${shown.datasetId} deleted`, 1200);
        onClose();
        await onDone();
      }}
    >
      {({ field }) => (
        <Textarea
          label="Reason"
          description={shown.owner === null ? undefined : `${shown.owner.username} is told.`}
          required
          data-autofocus
          autosize
          minRows={3}
          maxLength={500}
          {...field("reason")}
        />
      )}
    </FormDialog>
  );
}

/** Gives a dataset to another account. */
export function GiveAwayDialog({ dataset, onDone, onClose }: Props) {
  const shown = useLastShown(dataset);
  if (shown === null) return null;
  return (
    <FormDialog
      opened={dataset !== null}
      onClose={onClose}
      title={`Give away ${shown.datasetId}`}
      initial={{ to: null as ShareCandidate | null }}
      canSave={({ to }) => to !== null}
      saveLabel="Give away"
      save={async ({ to }) => {
        await call(ownDatasets.transfer, { params: { id: shown.id }, body: { userId: to?.id ?? "" } });
        toastSuccess(`${shown.datasetId} belongs to ${to?.name ?? ""}`);
        onClose();
        await onDone();
      }}
    >
      {({ values, set }) => (
        <>
          <ShareBox
            label="New owner"
            placeholder="A person"
            onlyPeople
            taken={nobodyTaken}
            mayShareWithEveryone={false}
            onAdd={(to) => set({ to })}
            onRemoveLast={() => set({ to: null })}
          />
          <p>{values.to === null ? "Its address stays the same. The former owner may edit it." : `${values.to.name} becomes its owner.`}</p>
        </>
      )}
    </FormDialog>
  );
}

/** How much the owner may keep; empty is the setting for everyone. */
export function RoomDialog({ dataset, onDone, onClose }: Props) {
  const shown = useLastShown(dataset);
  const owner = shown?.owner ?? null;
  if (owner === null) return null;
  return (
    <FormDialog
      opened={dataset !== null}
      onClose={onClose}
      title={`Room of ${owner.username}`}
      initial={emptyRoom}
      save={async ({ gigabytes }) => {
        const maxBytes = typeof gigabytes === "number" ? Math.round(gigabytes * gigabyte) : null;
        await call(ownDatasetAdministration.setRoom, { params: { id: owner.userId }, body: { maxBytes } });
        toastSuccess(`Room of ${owner.username} saved`, 1200);
        onClose();
        await onDone();
      }}
    >
      {({ values, set }) => (
        <NumberInput
          label="Gigabytes"
          description="Empty: as much as everyone."
          data-autofocus
          min={0}
          decimalScale={1}
          value={values.gigabytes}
          onChange={(gigabytes) => set({ gigabytes })}
        />
      )}
    </FormDialog>
  );
}
