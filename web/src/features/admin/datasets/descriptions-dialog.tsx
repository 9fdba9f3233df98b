import { isJsonObject } from "@fairway/contract/json";
import { datasetAdministration } from "@fairway/contract/dataset-administration";
import { Button, Flex, Textarea } from "@mantine/core";
import { type SubmitEvent, useState } from "react";
import { z } from "zod";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { RestoredNote, useKeptDraft } from "#ui/kept-draft.tsx";
import { sameContent, UnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { refetchEntities } from "../entities/entity-calls.ts";
import type { EntityDialogProps, RowDialog } from "../entities/entity-dialog.ts";
import { plainText } from "../entities/entity-kind.ts";
import { SaveFailure } from "../editor/save-failure.tsx";
import editor from "../editor/editor.module.css";

interface Column {
  columnName: string;
  description: string;
}

function columnsOf(schema: unknown): Column[] {
  const columns = isJsonObject(schema) && Array.isArray(schema["columns"]) ? schema["columns"].filter(isJsonObject) : [];
  return columns.map(({ name, description }) => ({ columnName: plainText(name), description: plainText(description) }));
}

/** The changed texts only: what others change meanwhile stays. */
const typedTexts = z.object({
  description: z.string().nullable(),
  columns: z.array(z.object({ columnName: z.string(), description: z.string() })),
});

/** Edits the descriptions of a dataset and its columns. */
export default function DescriptionsDialog({ kind, dialog, opened, onClose }: EntityDialogProps<RowDialog>) {
  const { entity, id } = dialog;
  const draftName = `descriptions ${id}`;
  const kept = useKeptDraft(draftName, typedTexts);
  const [initial] = useState(() => ({ description: plainText(entity["description"]), columns: columnsOf(entity["schema"]) }));
  const [description, setDescription] = useState(kept?.description ?? initial.description);
  const [columns, setColumns] = useState(() =>
    initial.columns.map((column) => kept?.columns.find(({ columnName }) => columnName === column.columnName) ?? column),
  );
  const typed = {
    description: description === initial.description ? null : description,
    columns: columns.filter((column, index) => column.description !== initial.columns[index]?.description),
  };
  const [failure, setFailure] = useState<{ title: string; messages: readonly string[] } | null>(null);
  const [isSaving, setSaving] = useState(false);
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    setSaving(true);
    setFailure(null);
    try {
      await call(datasetAdministration.describe, { params: { id }, body: { datasetId: id, description, columnDescriptions: columns } });
      await refetchEntities(kind);
      toastSuccess("Descriptions saved", 1200);
      onClose();
    } catch (error) {
      setFailure({ title: "Save Failed", messages: messagesOf(error) });
    }
    setSaving(false);
  };
  return (
    <Dialog opened={opened} onClose={onClose} title={`Descriptions of ${id}`} size={640} fillsPhone closeOnClickOutside={false}>
      <UnsavedChanges when={!sameContent({ description, columns }, initial)} draft={{ name: draftName, value: typed }} />
      <Flex onSubmit={(event) => void save(event)} component="form" gap="lg" direction="column" noValidate>
        <RestoredNote when={kept !== undefined} />
        <Textarea
          label="Dataset"
          autosize
          minRows={3}
          maxRows={8}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
          data-autofocus
        />
        <fieldset className={editor["group"]}>
          <legend>Columns</legend>
          {columns.map((column, index) => (
            <Textarea
              key={column.columnName}
              label={column.columnName}
              autosize
              minRows={1}
              maxRows={6}
              value={column.description}
              onChange={(event) => setColumns(columns.with(index, { ...column, description: event.currentTarget.value }))}
            />
          ))}
        </fieldset>
        <SaveFailure failure={failure} />
        <div className={editor["footer"]}>
          <span />
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isSaving}>
            Save
          </Button>
        </div>
      </Flex>
    </Dialog>
  );
}
