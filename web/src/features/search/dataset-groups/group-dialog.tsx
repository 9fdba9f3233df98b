import { type DatasetGroup, datasetGroupLimits, groupNameProblem } from "@fairway/contract/dataset-groups";
import type { AccessList, DatasetRef } from "@fairway/contract/datasets";
import { Button, Group, Textarea, TextInput } from "@mantine/core";
import { useId, useState } from "react";
import { messagesOf } from "#lib/gateway-error.ts";
import { MultiDatasetPicker } from "#parts/dataset-picker/multi-picker.tsx";
import { runAfterPointerUp } from "#ui/run-after-pointer-up.ts";
import { Dialog } from "#ui/dialog.tsx";
import { sameContent, useUnsavedChanges } from "#ui/unsaved-changes.tsx";
import { toastSuccess } from "#ui/toast.ts";
import { reachableOf } from "./access.ts";
import { GroupFailureDialog, type GroupFailure, saveFailed } from "./failure-dialog.tsx";
import { saveGroup } from "./queries.ts";
import classes from "./groups.module.css";

interface Props {
  opened: boolean;
  /** The group to edit; null makes a new one. */
  group: DatasetGroup | null;
  list: AccessList;
  onClose: () => void;
  onSaved: (group: DatasetGroup) => void;
}

/** Makes a dataset group, or changes one; its name stays then. */
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
  const [left, setLeft] = useState(false);
  const [description, setDescription] = useState(group?.description ?? "");
  const [chosen, setChosen] = useState<DatasetRef[]>(() => (group === null ? [] : reachableOf(group, list)));
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<GroupFailure | null>(null);
  const [begin] = useState({ name, description, chosen });
  useUnsavedChanges(!sameContent({ name, description, chosen }, begin));
  const lost = group === null ? 0 : group.datasets.length - reachableOf(group, list).length;
  const nameProblem = groupNameProblem(name);
  const hint = nameProblem !== null ? `The name ${nameProblem}.` : countProblem(chosen.length);

  const save = async () => {
    if (hint !== null || saving) return;
    setSaving(true);
    try {
      const saved = await saveGroup(group?.id ?? null, { name, description, datasets: chosen });
      toastSuccess("Dataset Group Saved");
      onSaved(saved);
    } catch (error) {
      setFailure(saveFailed(messagesOf(error)));
    } finally {
      setSaving(false);
    }
  };
  return (
    <form
      className={classes["dialog"]}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextInput
        label="Name"
        value={name}
        required
        readOnly={group !== null}
        {...(group === null ? { "data-autofocus": true } : { description: "The name of a group cannot be changed." })}
        maxLength={datasetGroupLimits.nameCharacters}
        error={left && nameProblem !== null ? `The name ${nameProblem}.` : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={() => runAfterPointerUp(() => setLeft(true))}
        autoComplete="off"
      />
      <Textarea
        label="Description"
        value={description}
        rows={2}
        maxLength={datasetGroupLimits.descriptionCharacters}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <MultiDatasetPicker list={list} chosen={chosen} onChange={setChosen} />
      {lost > 0 && (
        <p className={classes["warning"]}>
          {lost === 1
            ? "1 dataset that you can no longer reach is left out."
            : `${lost} datasets that you can no longer reach are left out.`}
        </p>
      )}
      <Group justify="space-between" gap="sm">
        <p id={hintId} className={classes["quiet"]} aria-live="polite">
          {hint ?? `${chosen.length} datasets chosen`}
        </p>
        <Group gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={hint !== null} loading={saving} aria-describedby={hintId}>
            Save
          </Button>
        </Group>
      </Group>
      <GroupFailureDialog failure={failure} onClose={() => setFailure(null)} />
    </form>
  );
}

function countProblem(count: number): string | null {
  if (count < 2) return "Choose at least 2 datasets.";
  const { datasets } = datasetGroupLimits;
  return count > datasets ? `A group holds at most ${datasets} datasets.` : null;
}
