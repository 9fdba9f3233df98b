import { type SavedSearch, savedSearchLimits } from "@fairway/contract/saved-searches";
import { Button, Checkbox, Stack, Textarea } from "@mantine/core";
import { GatewayError } from "#lib/gateway/gateway-error.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { sameContent } from "#ui/dialog/unsaved-changes.tsx";
import { FormDialog, NameInput } from "#ui/kit/form-dialog.tsx";
import type { DialogForm } from "#ui/kit/use-dialog-form.ts";
import { toastSuccess } from "#ui/toast/toast.ts";
import { editSearch, findSaved, saveSearch } from "./queries.ts";
import { type SavedPart, serializeSearch } from "./saved-search-text.ts";

interface SaveProps {
  opened: boolean;
  record: SearchRecord;
  onClose: () => void;
}

const parts: readonly { part: SavedPart; label: string }[] = [
  { part: "columns", label: "Columns shown and their order" },
  { part: "sort", label: "Order of the rows" },
  { part: "view", label: "View (table or raw)" },
];

const empty: SavedSearchValues = { queryName: "", description: "" };
const initial: Values = { ...empty, selected: [] };
type Values = SavedSearchValues & { selected: string[] };

/** Saves the filters under a name, with the selected further settings of the search. */
export function SaveFiltersDialog({ opened, record, onClose }: SaveProps) {
  const { category, datasetId } = record.datasetDescription;
  const dataset = { datasetCategory: category.id, datasetId };
  const queryOf = ({ selected }: Values) => {
    const selectedParts = parts.flatMap(({ part }) => (selected.includes(part) ? part : []));
    return serializeSearch(record, new Set(selectedParts));
  };
  const onSaved = () => {
    toastSuccess("Search filters saved");
    onClose();
  };
  /** Replaces the search of the same name. */
  const replace = async (values: Values) => {
    const { queryName, description } = trimmed(values);
    const query = queryOf(values);
    const existing = await findSaved(dataset, queryName);
    // It may have been deleted meanwhile; then the name is free.
    if (!existing) await saveSearch({ ...dataset, queryName, description, query });
    else {
      // Keep the old description unless a new one is given.
      await editSearch(existing.id, { queryName, query, ...(description === "" ? {} : { description }) });
    }
    onSaved();
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Save Search Filters"
      initial={initial}
      isTyped={({ queryName, description }) => !sameContent({ queryName, description }, empty)}
      canSave={isNamed}
      save={async (values) => {
        await saveSearch({ ...trimmed(values), ...dataset, query: queryOf(values) });
        onSaved();
      }}
      renderAside={({ refusal, saving, submit, values }) =>
        isNameTaken(refusal?.error) &&
        refusal?.values.queryName.trim() === values.queryName.trim() && (
          <Button variant="default" disabled={saving} onClick={() => submit(replace)}>
            Replace
          </Button>
        )
      }
    >
      {(form) => (
        <>
          <SavedSearchFields form={form} />
          <Checkbox.Group label="Save with the filters" value={form.values.selected} onChange={(selected) => form.set({ selected })}>
            <Stack gap="sm" mt="sm">
              {parts.map(({ part, label }) => (
                <Checkbox key={part} value={part} label={label} />
              ))}
            </Stack>
          </Checkbox.Group>
        </>
      )}
    </FormDialog>
  );
}

const isNameTaken = (error: unknown): boolean => error instanceof GatewayError && error.errors.some(({ code }) => code === "name-taken");

/** Edits name and description of a saved search, not its query. */
export function SavedEditDialog({ opened, saved, onClose }: { opened: boolean; saved: SavedSearch; onClose: () => void }) {
  const { id, queryName, description, version } = saved;
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Edit Saved Search"
      zIndex={300}
      initial={{ queryName, description }}
      canSave={isNamed}
      save={async (values) => {
        await editSearch(id, { ...trimmed(values), version });
        toastSuccess("Saved search changed");
        onClose();
      }}
    >
      {(form) => <SavedSearchFields form={form} />}
    </FormDialog>
  );
}

/** The editable values of a saved search. */
interface SavedSearchValues {
  queryName: string;
  description: string;
}

/** Name and description of a saved search. */
function SavedSearchFields({ form: { field } }: { form: Pick<DialogForm<SavedSearchValues>, "field"> }) {
  return (
    <>
      <NameInput {...field("queryName")} maxLength={savedSearchLimits.nameCharacters} />
      <Textarea label="Description" {...field("description")} rows={2} maxLength={savedSearchLimits.descriptionCharacters} />
    </>
  );
}

const isNamed = ({ queryName }: SavedSearchValues): boolean => queryName.trim() !== "";

/** The values as they are saved. */
const trimmed = ({ queryName, description }: SavedSearchValues): SavedSearchValues => ({
  queryName: queryName.trim(),
  description: description.trim(),
});
