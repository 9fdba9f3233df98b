import { flows } from "@fairway/contract/flows";
import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { z } from "zod";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { RestoredNote, useKeptDraft } from "#ui/kept-draft.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import { useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { FlowFileInput } from "../flow-file-input.tsx";
import type { FlowFile } from "../read-flow-file.ts";
import { ReasonField } from "../reason-field.tsx";
import { iterationsQuery, reloadRequest } from "./queries.ts";
import { useRequest } from "./request-context.ts";
import classes from "./request.module.css";

interface Props {
  opened: boolean;
  onClose: () => void;
}

/** Adds an iteration with the content of a file, and shows it. */
export default function NewIterationDialog({ opened, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Create New Iteration" size={480}>
      {opened && <IterationForm onClose={onClose} />}
    </Dialog>
  );
}

function IterationForm({ onClose }: { onClose: () => void }) {
  const { ids, show } = useRequest();
  const [file, setFile] = useState<FlowFile | null>(null);
  const draftName = `flow iteration ${ids.group}/${ids.flowId}/${ids.requestId}`;
  const kept = useKeptDraft(draftName, z.string());
  const [reason, setReason] = useState(kept ?? "");
  const [isSaving, setSaving] = useState(false);
  useUnsavedChanges(
    file !== null || reason !== "",
    reason === "" ? {} : { draft: { name: draftName, value: reason, isPart: file !== null } },
  );
  const save = async ({ content }: FlowFile) => {
    setSaving(true);
    try {
      const created = await call(flows.createIteration, { params: ids, body: { content, ...(reason.trim() === "" ? {} : { reason }) } });
      queryClient.setQueryData(iterationsQuery(ids).queryKey, (iterations) => iterations && [...iterations, { ...created, content: null }]);
      await reloadRequest(ids);
      toastSuccess(`Iteration ${created.number} created`);
      onClose();
      show({ iteration: created.number });
    } catch (error) {
      toastError("Failed to Save New Iteration", messagesOf(error).join(" "));
      void reloadRequest(ids);
    }
    setSaving(false);
  };
  return (
    <form
      className={classes["form"]}
      onSubmit={(event) => {
        event.preventDefault();
        if (file && !isSaving) void save(file);
      }}
    >
      <RestoredNote when={kept !== undefined} />
      <FlowFileInput label="Content" value={file} onChange={setFile} disabled={isSaving} />
      <ReasonField value={reason} onChange={setReason} />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={file === null} loading={isSaving}>
          Create
        </Button>
      </Group>
    </form>
  );
}
