import { type DatasetGroup, datasetGroupLimits, groupNameProblem } from "@fairway/contract/dataset-groups";
import type { AccessList, DatasetRef } from "@fairway/contract/datasets";
import { Textarea } from "@mantine/core";
import { useId, useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { MultiDatasetPicker } from "#parts/dataset-picker/multi-picker.tsx";
import { runAfterPointerUp } from "#ui/run-after-pointer-up.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { NameInput, SaveForm, useSaving } from "#ui/dialog/save-form.tsx";
import { sameContent, useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { accessibleDatasets } from "./access.ts";
import { GroupFailureDialog, type GroupFailure, saveFailed } from "./failure-dialog.tsx";
import { saveGroup } from "./queries.ts";
import classes from "./groups.module.css";

interface Props {
  opened: boolean;
  /** The group to edit; null creates a new one. */
  group: DatasetGroup | null;
  list: AccessList;
  onClose: () => void;
  onSaved: (group: DatasetGroup) => void;
}

/** Creates or edits a dataset group. The name of an existing group cannot change. */
export function GroupDialog({ opened, group, ...rest }: Props) {
  return (
    <Dialog opened={opened} onClose={rest.onClose} title={group === null ? "Create Dataset Group" : "Edit Dataset Group"} size={520}>
      <GroupForm group={group} {...rest} />
    </Dialog>
  );
}

function GroupForm({ group, list, onClose, onSaved }: Omit<Props, "opened">) {
  const hintId = useId();
  const [name, setName] = useState(group?.name ?? "");
  const [nameBlurred, setNameBlurred] = useState(false);
  const [description, setDescription] = useState(group?.description ?? "");
  const [chosen, setChosen] = useState<DatasetRef[]>(() => (group === null ? [] : accessibleDatasets(group, list)));
  const { saving, run } = useSaving();
  const [failure, setFailure] = useState<GroupFailure | null>(null);
  const [initial] = useState({ name, description, chosen });
  useUnsavedChanges(!sameContent({ name, description, chosen }, initial));
  const inaccessibleCount = group === null ? 0 : group.datasets.length - accessibleDatasets(group, list).length;
  const nameProblem = groupNameProblem(name);
  const hint = nameProblem !== null ? nameText(nameProblem) : countProblem(chosen.length);

  const save = () =>
    void run(
      async () => {
        const saved = await saveGroup(group?.id ?? null, { name, description, datasets: chosen });
        toastSuccess("Dataset Group Saved");
        onSaved(saved);
      },
      (error) => setFailure(saveFailed(messagesOf(error))),
    );
  return (
    <SaveForm
      canSave={hint === null}
      saving={saving}
      onSave={save}
      onCancel={onClose}
      saveDescribedBy={hintId}
      aside={
        <p id={hintId} className={classes["quiet"]} aria-live="polite">
          {hint ?? `${chosen.length} datasets chosen`}
        </p>
      }
    >
      <NameInput
        value={name}
        maxLength={datasetGroupLimits.nameCharacters}
        readOnly={group !== null}
        description={group === null ? undefined : "The name of a group cannot be changed."}
        error={nameBlurred && nameProblem !== null ? nameText(nameProblem) : undefined}
        onChange={setName}
        onBlur={() => runAfterPointerUp(() => setNameBlurred(true))}
      />
      <Textarea
        label="Description"
        value={description}
        rows={2}
        maxLength={datasetGroupLimits.descriptionCharacters}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <MultiDatasetPicker list={list} chosen={chosen} onChange={setChosen} />
      {inaccessibleCount > 0 && (
        <p className={`${classes["warning"]} ${classes["leftOut"]}`}>
          {inaccessibleCount === 1
            ? "1 dataset you no longer have access to is left out."
            : `${inaccessibleCount} datasets you no longer have access to are left out.`}
        </p>
      )}
      <GroupFailureDialog failure={failure} onClose={() => setFailure(null)} />
    </SaveForm>
  );
}

function countProblem(count: number): string | null {
  if (count < 2) return "Choose at least 2 datasets.";
  const { datasets } = datasetGroupLimits;
  return count > datasets ? `A group can have at most ${datasets} datasets.` : null;
}

const nameText = (problem: string): string => (problem === "is blank" ? "Enter a name." : `The name ${problem}.`);
