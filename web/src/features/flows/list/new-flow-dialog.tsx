import { type FlowGroupSummary, flowLimits, flows } from "@fairway/contract/flows";
import { TextInput } from "@mantine/core";
import { call } from "#lib/gateway/call.ts";
import { FormDialog } from "#ui/kit/form-dialog.tsx";
import { Select } from "#ui/select.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { FlowFailure } from "../flow-failure.tsx";
import { reloadFlows } from "../queries.ts";

interface Props {
  opened: boolean;
  groups: readonly FlowGroupSummary[];
  /** The group that is selected at first. */
  group: string;
  onClose: () => void;
}

const advice = { text: "Ensure the flow name is not already used.", explains: "name-taken" } as const;

/** Asks for the name of a new flow, and for its group if there are several. */
export function NewFlowDialog({ opened, groups, group: initialGroup, onClose }: Props) {
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="New Flow"
      initial={{ group: initialGroup, name: "" }}
      isTyped={({ name }) => name !== ""}
      canSave={({ name }) => name.trim() !== ""}
      save={async ({ group, name }) => {
        await call(flows.create, { params: { group }, body: { name: name.trim() } });
        toastSuccess("Flow Created");
        onClose();
        await reloadFlows();
      }}
      renderFailure={(error) => <FlowFailure title="Failed to Create Flow" advice={advice} error={error} />}
    >
      {({ field, set, values }) => (
        <>
          <Select
            label="Group"
            data={groups.map(({ name: value, displayName: label }) => ({ value, label }))}
            value={values.group}
            onChange={(group) => group !== null && set({ group })}
            allowDeselect={false}
            searchable={groups.length > 8}
          />
          <TextInput
            label="Flow Name"
            required
            data-autofocus
            {...field("name")}
            maxLength={flowLimits.nameCharacters}
            autoComplete="off"
          />
        </>
      )}
    </FormDialog>
  );
}
