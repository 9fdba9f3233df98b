import { type FlowGroupSummary, flowLimits, flows } from "@fairway/contract/flows";
import { TextInput } from "@mantine/core";
import { useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { SaveForm, useSaving } from "#ui/dialog/save-form.tsx";
import { Select } from "#ui/select.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { FlowFailure } from "../flow-failure.tsx";
import { reloadFlows } from "../queries.ts";

interface Props {
  opened: boolean;
  groups: readonly FlowGroupSummary[];
  /** The group that is selected at first. */
  group: string;
  onClose: () => void;
}

/** Asks for the name of a new flow, and for its group if there are several. */
export function NewFlowDialog({ opened, onClose, ...rest }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title="New Flow">
      {opened && <NewFlowForm {...rest} onClose={onClose} />}
    </Dialog>
  );
}

const advice = { text: "Ensure the flow name is not already used.", explains: "name-taken" } as const;

function NewFlowForm({ groups, group: initialGroup, onClose }: Omit<Props, "opened">) {
  const [group, setGroup] = useState(initialGroup);
  const [name, setName] = useState("");
  const [failure, setFailure] = useState<unknown>(null);
  const { saving, run } = useSaving();
  useUnsavedChanges(name !== "");
  const save = () =>
    run(async () => {
      setFailure(null);
      await call(flows.create, { params: { group }, body: { name: name.trim() } });
      toastSuccess("Flow Created");
      onClose();
      await reloadFlows();
    }, setFailure);
  return (
    <SaveForm canSave={name.trim() !== ""} saving={saving} onSave={() => void save()} onCancel={onClose}>
      <Select
        label="Group"
        data={groups.map(({ name: value, displayName: label }) => ({ value, label }))}
        value={group}
        onChange={(chosen) => chosen !== null && setGroup(chosen)}
        allowDeselect={false}
        searchable={groups.length > 8}
      />
      <TextInput
        label="Flow Name"
        required
        data-autofocus
        value={name}
        maxLength={flowLimits.nameCharacters}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="off"
      />
      {failure !== null && <FlowFailure title="Failed to Create Flow" advice={advice} error={failure} />}
    </SaveForm>
  );
}
