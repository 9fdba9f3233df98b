import type { DatasetRef } from "@fairway/contract/datasets";
import type { Lookup } from "@fairway/contract/derived-columns";
import type { LookupTarget } from "@fairway/contract/lookups";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { utc } from "#lib/time/time-zone.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { SaveForm } from "#ui/kit/form-dialog.tsx";
import { useDialogForm } from "#ui/kit/use-dialog-form.ts";
import { LoadingRows } from "#ui/states.tsx";
import { type LookupDraft, emptyLookup, lookupOfDraft } from "./lookup-draft.ts";
import { LookupFields } from "./lookup-fields.tsx";
import { lookupTargetsQuery } from "./queries.ts";
import { type LookupSubject, useLookup } from "./use-lookup.ts";

export interface LookupDialogProps {
  opened: boolean;
  onClose: () => void;
  subject: LookupSubject & { dataset: DatasetRef };
  /** Names that the columns may not have, in any case. */
  takenNames: readonly string[];
  zone?: string;
  /** Of the lookup. */
  id: string;
  /** A lookup to change. */
  initial?: Lookup | undefined;
  /** Above the fields. */
  head?: ReactNode;
  /** Closes the dialog itself. If it rejects, the dialog says why and stays open. */
  onSave: (lookup: Lookup) => unknown;
  /** Removes the lookup that is changed. */
  onRemove?: (() => unknown) | undefined;
}

/** Columns of another dataset for a search. */
export function LookupDialog(props: LookupDialogProps) {
  const { opened, onClose, initial, subject } = props;
  const targets = useQuery({ ...lookupTargetsQuery(subject.dataset), enabled: opened });
  const isWaiting = initial === undefined && targets.isPending;
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={initial === undefined ? "Columns of another dataset" : `Change columns of ${initial.dataset.datasetId}`}
      size={640}
      fillsPhone
    >
      {isWaiting && !targets.isError ? <LoadingRows label="Loading datasets" /> : <LookupForm {...props} targets={targets.data ?? []} />}
    </Dialog>
  );
}

function LookupForm({
  onClose,
  subject,
  takenNames,
  zone = utc,
  id,
  initial,
  head,
  onSave,
  onRemove,
  targets,
}: LookupDialogProps & { targets: readonly LookupTarget[] }) {
  const taken = new Set(takenNames.map((name) => name.toLowerCase()));
  const form = useDialogForm<LookupDraft>({
    initial:
      initial === undefined
        ? { ...emptyLookup, dataset: proposedDataset(targets, subject.column ?? null) }
        : { ...initial, match: initial.match ?? "exact" },
    canSave: (draft) => lookupOfDraft(id, draft, taken) !== undefined,
    save: (draft) => {
      const lookup = lookupOfDraft(id, draft, taken);
      return lookup === undefined ? undefined : onSave(lookup);
    },
  });
  // A search with a key that cannot be would fail.
  const { problem } = useLookup(form.values, subject);
  const isWrong = problem !== null && problem.pair !== null;
  return (
    <SaveForm
      form={{ ...form, canSave: form.canSave && !isWrong }}
      onCancel={onClose}
      saveLabel={initial === undefined ? "Add columns" : "Save"}
      aside={
        onRemove && (
          <Button variant="subtle" color="red" onClick={() => form.submit(onRemove)}>
            Remove
          </Button>
        )
      }
    >
      {head}
      <LookupFields draft={form.values} onChange={form.set} subject={subject} taken={taken} name="the lookup" zone={zone} />
    </SaveForm>
  );
}

/** The first dataset that names and links suggest for a column. */
function proposedDataset(targets: readonly LookupTarget[], column: string | null): DatasetRef | null {
  const found = column === null ? undefined : targets.find(({ reason, key }) => reason === null && key?.column === column);
  return found === undefined ? null : { datasetCategory: found.datasetCategory, datasetId: found.datasetId };
}
