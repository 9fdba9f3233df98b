import { type FlowGroupSummary, flowLimits, flows } from "@fairway/contract/flows";
import { byName } from "@fairway/contract/name-order";
import { Button, Group, TextInput } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { flushSync } from "react-dom";
import { z } from "zod";
import { call } from "#lib/gateway/call.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { SaveForm } from "#ui/kit/form-dialog.tsx";
import { useDialogForm } from "#ui/kit/use-dialog-form.ts";
import { Select } from "#ui/select.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { FlowFailure } from "../flow-failure.tsx";
import { FlowFileInput } from "../flow-file-input.tsx";
import { flowsQuery, reloadFlows } from "../queries.ts";
import type { FlowFile } from "../read-flow-file.ts";
import { ReasonField } from "../reason-field.tsx";

interface Props {
  opened: boolean;
  groups: readonly FlowGroupSummary[];
  /** The flow that is selected at first. */
  flow?: { group: string; flowId: number };
  onClose: () => void;
}

/** Asks for the flow, the name and the content of a new request, and opens it. */
export function NewRequestDialog({ opened, onClose, ...rest }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title="New Request" fillsPhone closeOnClickOutside={false}>
      {opened && <NewRequestForm {...rest} onClose={onClose} />}
    </Dialog>
  );
}

interface Choice {
  group: string;
  flowId: number;
}

/** Options have texts as values; neither ids nor the names of groups contain a slash. */
const valueOf = ({ group, flowId }: Choice): string => `${group}/${flowId}`;

const typedRequest = z.object({ flow: z.string().nullable(), name: z.string(), reason: z.string() });

const requestFailure = (error: unknown) => <FlowFailure title="Failed to Create Flow Request" error={error} />;

function NewRequestForm({ groups, flow: initialFlow, onClose }: Omit<Props, "opened">) {
  const { choices, options, isLoading, retry } = useFlowChoices(groups);
  const navigate = useNavigate();
  const initial = { flow: initialFlow ? valueOf(initialFlow) : null, name: "", reason: "", file: null as FlowFile | null };
  const form = useDialogForm({
    initial,
    draft: { name: `flow request ${initial.flow ?? "of any flow"}`, schema: typedRequest, without: "file" },
    isTyped: ({ name, reason, file }) => name !== "" || reason !== "" || file !== null,
    canSave: ({ flow, name, file }) => flow !== null && choices.has(flow) && name.trim() !== "" && file !== null,
    save: async ({ flow, name, reason, file }) => {
      const chosen = flow === null ? undefined : choices.get(flow);
      if (!chosen || !file) return;
      const { group, flowId } = chosen;
      const { id } = await call(flows.createRequest, {
        params: { group, flowId },
        body: { name: name.trim(), ...(reason.trim() === "" ? {} : { reason }), iterations: [{ content: file.content }] },
      });
      toastSuccess("Flow Request Created");
      // Closes first: nothing is unsaved any more when the request opens.
      flushSync(onClose);
      void reloadFlows();
      await navigate({
        to: "/niflow-requests/$groupName/$flowId/$requestId",
        params: { groupName: group, flowId: String(flowId), requestId: String(id) },
      });
    },
  });
  const { field, saving, values } = form;
  return (
    <SaveForm form={form} onCancel={onClose} renderFailure={requestFailure}>
      {retry && (
        <Group role="alert" gap="sm" wrap="nowrap" fz="xs" c="red">
          Some flows could not be loaded.
          <Button variant="subtle" size="compact-sm" onClick={retry}>
            Retry
          </Button>
        </Group>
      )}
      <Select
        label="Flow"
        required
        placeholder={isLoading ? "Loading flows" : choices.size === 0 ? "There are no flows yet" : "Choose a flow"}
        data={options}
        {...field("flow")}
        allowDeselect={false}
        searchable
        openOnFocus={false}
        nothingFoundMessage="No flow matches"
        maxDropdownHeight={280}
        data-autofocus={values.flow === null || undefined}
      />
      <TextInput
        label="Request Name"
        required
        data-autofocus={values.flow !== null || undefined}
        {...field("name")}
        maxLength={flowLimits.nameCharacters}
        autoComplete="off"
      />
      <ReasonField {...field("reason")} />
      <FlowFileInput label="Content" {...field("file")} disabled={saving} />
    </SaveForm>
  );
}

/** The flows of all groups as `group/flow`. `retry` is set if some of them could not be loaded. */
function useFlowChoices(groups: readonly FlowGroupSummary[]) {
  const lists = useQueries({ queries: groups.map(({ name }) => flowsQuery(name)) });
  const choices = new Map<string, Choice>();
  const options = groups.flatMap(({ name: group, displayName }, index) =>
    (lists[index]?.data ?? []).toSorted(byName).map(({ id: flowId, name }) => {
      const value = valueOf({ group, flowId });
      choices.set(value, { group, flowId });
      return { value, label: `${displayName}/${name}` };
    }),
  );
  const failed = lists.filter(({ data, error, isFetching }) => data === undefined && error !== null && !isFetching);
  return {
    choices,
    options,
    isLoading: lists.some(({ isPending }) => isPending),
    retry: failed.length > 0 ? () => failed.forEach(({ refetch }) => void refetch()) : undefined,
  };
}
