import type { DatasetSchema } from "@fairway/contract/datasets";
import { descriptionSuggestions } from "@fairway/contract/description-suggestions";
import { columnDescriptionCharacters, datasetDescriptionCharacters } from "@fairway/contract/descriptions";
import { Button, Flex, Group, Text, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { InlineDiff } from "#ui/diff/inline-diff.tsx";
import { Select } from "#ui/select.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { refetchSuggestions } from "./queries.ts";
import { draftText, type SuggestionDraft, withText } from "./suggestion-draft.ts";
import { useSuggestions } from "./suggestions-context.tsx";
import classes from "./suggestions.module.css";

interface Props {
  schema: DatasetSchema;
  /** Null while the dialog is closed. */
  draft: SuggestionDraft | null;
  onDraft: (draft: SuggestionDraft | null) => void;
}

/** Suggests community descriptions of a dataset and its columns. */
export default function SuggestDialog({ schema, draft, onDraft }: Props) {
  return (
    <Dialog opened={draft !== null} onClose={() => onDraft(null)} title="Suggest a description" size={640} fillsPhone>
      {draft && <SuggestForm schema={schema} draft={draft} onDraft={onDraft} />}
    </Dialog>
  );
}

// Names of columns are prefixed, so that none is that of the dataset.
const datasetOption = "dataset";
const columnPrefix = "column ";
const optionOf = (columnName: string | null): string => (columnName === null ? datasetOption : `${columnPrefix}${columnName}`);
const columnOf = (option: string): string | null => (option === datasetOption ? null : option.slice(columnPrefix.length));

function SuggestForm({ schema, draft, onDraft }: Props & { draft: SuggestionDraft }) {
  const { columnName } = draft;
  const { suggestions } = useSuggestions();
  const { send, isSending, failure } = useSend(schema, draft, onDraft);
  useUnsavedChanges(draft.texts.length > 0);
  const stored =
    columnName === null
      ? schema.communityDescription
      : (schema.columns.find(({ name }) => name === columnName)?.communityDescription ?? "");
  const own = suggestions.find((one) => one.isOwn && one.columnName === columnName);
  const start = own?.description ?? stored;
  const text = draftText(draft, columnName) ?? start;
  const count = draft.texts.length;
  const isBlank = draft.texts.some((one) => one.text.trim() === "");
  return (
    <Flex
      component="form"
      gap="lg"
      direction="column"
      onSubmit={(event) => {
        event.preventDefault();
        if (count > 0 && !isBlank) void send();
      }}
    >
      <p
        className={classes["lead"]}
      >{`People who edit the descriptions of ${schema.dataset.datasetId} review it before everyone sees it.`}</p>
      <Select
        label="Describes"
        searchable
        allowDeselect={false}
        limit={100}
        data={[
          { value: datasetOption, label: "The dataset" },
          ...schema.columns.map(({ name, label }) => ({ value: optionOf(name), label: label ?? name })),
        ]}
        value={optionOf(columnName)}
        onChange={(option) => option !== null && onDraft({ ...draft, columnName: columnOf(option) })}
      />
      <Textarea
        label="Description"
        description="Markdown, without HTML"
        autosize
        minRows={4}
        maxRows={14}
        maxLength={columnName === null ? datasetDescriptionCharacters : columnDescriptionCharacters}
        value={text}
        error={count > 0 && text.trim() === "" ? "Write a description." : undefined}
        onChange={(event) => {
          const next = event.currentTarget.value;
          onDraft(withText(draft, columnName, next === start ? null : next));
        }}
        data-autofocus
      />
      {text !== stored && (
        <section aria-label="What would change" className={classes["preview"]}>
          <InlineDiff before={stored} after={text} />
        </section>
      )}
      {own && <p className={classes["note"]}>It replaces your open suggestion.</p>}
      {failure.length > 0 && (
        <Text role="alert" c="red">
          {`Not suggested: ${failure.join(" ")}`}
        </Text>
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={() => onDraft(null)}>
          Cancel
        </Button>
        <Button type="submit" disabled={count === 0 || isBlank} loading={isSending}>
          {count > 1 ? `Suggest ${count} descriptions` : "Suggest"}
        </Button>
      </Group>
    </Flex>
  );
}

function useSend({ dataset }: DatasetSchema, draft: SuggestionDraft, onDraft: (draft: SuggestionDraft | null) => void) {
  const queries = useQueryClient();
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<readonly string[]>([]);
  const send = async () => {
    if (isSending) return;
    setSending(true);
    setFailure([]);
    const params = { category: dataset.datasetCategory, datasetId: dataset.datasetId };
    const rest = [...draft.texts];
    try {
      for (const { columnName, text } of draft.texts) {
        await call(descriptionSuggestions.suggest, { params, body: { columnName, description: text } });
        rest.shift();
      }
      onDraft(null);
      toastSuccess(draft.texts.length === 1 ? "Description suggested" : "Descriptions suggested");
    } catch (error) {
      setFailure(messagesOf(error));
      // Shows the one that failed.
      onDraft({ columnName: rest[0]?.columnName ?? null, texts: rest });
    }
    await refetchSuggestions(queries, dataset);
    setSending(false);
  };
  return { send, isSending, failure };
}
