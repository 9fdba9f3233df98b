import { type DatasetGroup, datasetGroupLimits, groupNameProblem } from "@fairway/contract/dataset-groups";
import type { AccessList, DatasetRef } from "@fairway/contract/datasets";
import { Text, Textarea } from "@mantine/core";
import { useId, useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { MultiDatasetPicker } from "#parts/dataset-picker/multi-picker.tsx";
import { runAfterPointerUp } from "#ui/run-after-pointer-up.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { NameInput, SaveForm } from "#ui/kit/form-dialog.tsx";
import { useDialogForm } from "#ui/kit/use-dialog-form.ts";
import { toastSuccess } from "#ui/toast/toast.ts";
import { accessibleDatasets } from "./access.ts";
import { GroupFailureDialog, type GroupFailure, saveFailed } from "./failure-dialog.tsx";
import { saveGroup } from "./queries.ts";
import classes from "./dataset-groups.module.css";

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
  const [nameBlurred, setNameBlurred] = useState(false);
  const [failure, setFailure] = useState<GroupFailure | null>(null);
  const accessible = group === null ? [] : accessibleDatasets(group, list);
  const form = useDialogForm({
    initial: { name: group?.name ?? "", description: group?.description ?? "", datasets: accessible },
    canSave: (values) => problemOf(values) === null,
    save: async (values) => {
      try {
        const saved = await saveGroup(group?.id ?? null, values);
        toastSuccess("Dataset Group Saved");
        onSaved(saved);
      } catch (error) {
        setFailure(saveFailed(messagesOf(error)));
      }
    },
  });
  const { field, values } = form;
  const inaccessibleCount = group === null ? 0 : group.datasets.length - accessible.length;
  const nameProblem = groupNameProblem(values.name);
  return (
    <SaveForm
      form={form}
      onCancel={onClose}
      saveDescribedBy={hintId}
      aside={
        <Text id={hintId} size="xs" c="dimmed" aria-live="polite">
          {problemOf(values) ?? `${values.datasets.length} datasets chosen`}
        </Text>
      }
    >
      <NameInput
        {...field("name")}
        maxLength={datasetGroupLimits.nameCharacters}
        readOnly={group !== null}
        description={group === null ? undefined : "The name of a group cannot be changed."}
        error={nameBlurred && nameProblem !== null ? nameText(nameProblem) : undefined}
        onBlur={() => runAfterPointerUp(() => setNameBlurred(true))}
      />
      <Textarea label="Description" {...field("description")} rows={2} maxLength={datasetGroupLimits.descriptionCharacters} />
      <MultiDatasetPicker list={list} chosen={values.datasets} onChange={(datasets) => form.set({ datasets })} />
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

/** Why the group cannot be saved; null if it can. */
function problemOf({ name, datasets }: { name: string; datasets: readonly DatasetRef[] }): string | null {
  const problem = groupNameProblem(name);
  return problem === null ? countProblem(datasets.length) : nameText(problem);
}

function countProblem(count: number): string | null {
  if (count < 2) return "Choose at least 2 datasets.";
  const { datasets } = datasetGroupLimits;
  return count > datasets ? `A group can have at most ${datasets} datasets.` : null;
}

const nameText = (problem: string): string => (problem === "is blank" ? "Enter a name." : `The name ${problem}.`);
