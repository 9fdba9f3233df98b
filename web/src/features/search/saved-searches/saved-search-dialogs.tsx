import { type SavedSearch, savedSearchLimits, type SharedSearch } from "@fairway/contract/saved-searches";
import type { DatasetRef } from "@fairway/contract/datasets";
import type { Share } from "@fairway/contract/sharing";
import { Button, Checkbox, NativeSelect, Stack, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { GatewayError, isStaleVersion } from "#lib/gateway/gateway-error.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { ShareFields } from "#parts/sharing/islands.ts";
import { draftOf } from "#parts/sharing/share-draft.ts";
import { sameContent } from "#ui/dialog/unsaved-changes.tsx";
import { FormDialog, NameInput } from "#ui/kit/form-dialog.tsx";
import type { DialogForm } from "#ui/kit/use-dialog-form.ts";
import { toastSuccess } from "#ui/toast/toast.ts";
import { editNewest, editSearch, findSaved, saveSearch, sharedSearchesQuery, shareSearch } from "./queries.ts";
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
const initial: Values = { ...empty, shares: [], selected: [], replaced: null };
/** `replaced`: the search of somebody else whose filters are replaced; null for a new one. */
type Values = SavedSearchValues & { shares: readonly Share[]; selected: string[]; replaced: SharedSearch | null };

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
  /** Replaces the filters of a search of somebody else. */
  const replaceShared = async (values: Values, edit: typeof editSearch) => {
    const { replaced } = values;
    if (replaced === null) return;
    await edit(replaced.id, { queryName: replaced.queryName, query: queryOf(values), version: replaced.version });
    onSaved();
  };
  /** Replaces the search of the same name. */
  const replace = async (values: Values) => {
    const { queryName, description } = trimmed(values);
    const shares = values.shares.map(draftOf);
    const query = queryOf(values);
    const existing = await findSaved(dataset, queryName);
    // It may have been deleted meanwhile; then the name is free.
    if (!existing) await saveSearch({ ...dataset, queryName, description, shares, query });
    else {
      // Keep the old description and shares unless new ones are given. Shares come first, because they may be refused.
      if (shares.length > 0) await shareSearch(existing.id, shares);
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
      isTyped={({ queryName, description, shares }) => shares.length > 0 || !sameContent({ queryName, description }, empty)}
      canSave={(values) => values.replaced !== null || isNamed(values)}
      save={async (values) => {
        if (values.replaced !== null) return replaceShared(values, editSearch);
        await saveSearch({ ...trimmed(values), ...dataset, shares: values.shares.map(draftOf), query: queryOf(values) });
        onSaved();
      }}
      renderAside={(form) => {
        const { refusal, saving, submit, values } = form;
        if (isStaleVersion(refusal?.error) && values.replaced !== null) {
          return <SaveAnyway form={form} save={(typed) => replaceShared(typed, editNewest)} />;
        }
        return (
          isNameTaken(refusal?.error) &&
          refusal?.values.queryName.trim() === values.queryName.trim() && (
            <Button variant="default" disabled={saving} onClick={() => submit(replace)}>
              Replace
            </Button>
          )
        );
      }}
    >
      {(form) => (
        <>
          <ReplacedSearch dataset={dataset} replaced={form.values.replaced} onChange={(replaced) => form.set({ replaced })} />
          {form.values.replaced === null && (
            <>
              <SavedSearchFields form={form} />
              <ShareFields shares={form.values.shares} mayShareWithEveryone onChange={(shares) => form.set({ shares })} />
            </>
          )}
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

interface ReplacedProps {
  dataset: DatasetRef;
  replaced: SharedSearch | null;
  onChange: (replaced: SharedSearch | null) => void;
}

/** Offers the searches of others that the user may edit. */
function ReplacedSearch({ dataset, replaced, onChange }: ReplacedProps) {
  const { data: shared = [] } = useQuery({ ...sharedSearchesQuery, staleTime: 0 });
  const editable = shared.filter(
    (search) => search.can === "edit" && search.datasetCategory === dataset.datasetCategory && search.datasetId === dataset.datasetId,
  );
  if (editable.length === 0) return null;
  return (
    <NativeSelect
      label="Save as"
      data={[
        { value: "", label: "A new saved search" },
        ...editable.map((search) => ({ value: search.id, label: `${search.queryName}, shared by ${search.owner || "a deleted account"}` })),
      ]}
      value={replaced?.id ?? ""}
      onChange={(event) => onChange(editable.find(({ id }) => id === event.currentTarget.value) ?? null)}
    />
  );
}

const isNameTaken = (error: unknown): boolean => error instanceof GatewayError && error.errors.some(({ code }) => code === "name-taken");

interface SaveAnywayProps<Values extends object> {
  form: Pick<DialogForm<Values>, "saving" | "submit">;
  save: (values: Values) => Promise<void>;
}

/** Saves over what somebody else has saved meanwhile. */
function SaveAnyway<Values extends object>({ form: { saving, submit }, save }: SaveAnywayProps<Values>) {
  return (
    <Button variant="default" disabled={saving} onClick={() => submit(save)}>
      Save anyway
    </Button>
  );
}

/** Edits name and description of a saved search, not its query. */
export function SavedEditDialog({ opened, saved, onClose }: { opened: boolean; saved: SavedSearch; onClose: () => void }) {
  const { id, queryName, description, version } = saved;
  const save = async (values: SavedSearchValues, edit: typeof editSearch) => {
    await edit(id, { ...trimmed(values), version });
    toastSuccess("Saved search changed");
    onClose();
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Edit Saved Search"
      zIndex={300}
      initial={{ queryName, description }}
      canSave={isNamed}
      save={(values) => save(values, editSearch)}
      renderAside={(form) => isStaleVersion(form.refusal?.error) && <SaveAnyway form={form} save={(values) => save(values, editNewest)} />}
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
