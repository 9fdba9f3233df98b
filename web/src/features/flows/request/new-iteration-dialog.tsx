import { flows } from "@fairway/contract/flows";
import { z } from "zod";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { FormDialog } from "#ui/kit/form-dialog.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import { FlowFileInput } from "../flow-file-input.tsx";
import type { FlowFile } from "../read-flow-file.ts";
import { ReasonField } from "../reason-field.tsx";
import { iterationsQuery, reloadRequest } from "./queries.ts";
import { useRequest } from "./request-context.ts";

interface Props {
  opened: boolean;
  onClose: () => void;
}

/** Adds an iteration with the content of a file, and shows it. */
export default function NewIterationDialog({ opened, onClose }: Props) {
  const { ids, show } = useRequest();
  const save = async ({ file, reason }: { file: FlowFile | null; reason: string }) => {
    if (!file) return;
    try {
      const body = { content: file.content, ...(reason.trim() === "" ? {} : { reason }) };
      const created = await call(flows.createIteration, { params: ids, body });
      queryClient.setQueryData(iterationsQuery(ids).queryKey, (iterations) => iterations && [...iterations, { ...created, content: null }]);
      await reloadRequest(ids);
      toastSuccess(`Iteration ${created.number} created`);
      onClose();
      show({ iteration: created.number });
    } catch (error) {
      toastError("Failed to Save New Iteration", messagesOf(error).join(" "));
      void reloadRequest(ids);
    }
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Create New Iteration"
      size={480}
      initial={{ file: null as FlowFile | null, reason: "" }}
      draft={{
        name: `flow iteration ${ids.group}/${ids.flowId}/${ids.requestId}`,
        schema: z.object({ reason: z.string() }),
        without: "file",
      }}
      canSave={({ file }) => file !== null}
      saveLabel="Create"
      save={save}
    >
      {({ field, saving }) => (
        <>
          <FlowFileInput label="Content" {...field("file")} disabled={saving} />
          <ReasonField {...field("reason")} />
        </>
      )}
    </FormDialog>
  );
}
