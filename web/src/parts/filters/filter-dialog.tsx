import type { FieldFilter } from "@fairway/contract/datasets";
import { Box, Button, Checkbox, Flex, Group, NativeSelect } from "@mantine/core";
import { useId, useState } from "react";
import { hasValue } from "#parts/search-model/search-data.ts";
import { runAfterPointerUp } from "#ui/run-after-pointer-up.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { sameContent, useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { filterChoices, allowedOperators } from "#parts/search-model/filter-list.ts";
import { Select } from "#ui/select.tsx";
import { canBeEmpty, emptied, emptyOperators, filterProblem, zoneNote } from "./filter-value.ts";
import { FilterValueInput } from "./filter-value-input.tsx";
import classes from "./filters.module.css";

export interface FilterDialogProps {
  opened: boolean;
  /** The filters to choose from, as they would be added. */
  offered: readonly FieldFilter[];
  /** The filter to edit; null to add one. */
  edited: FieldFilter | null;
  /** The initially selected one of `offered`. Without it, the user selects a field first. */
  suggested?: FieldFilter | undefined;
  onClose: () => void;
  /** Receives the new or edited filter. */
  onDone: (filter: FieldFilter) => void;
}

/** Adds or edits one filter. It can be saved once its value is valid. */
export function FilterDialog({ opened, onClose, ...rest }: FilterDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={rest.edited ? "Edit filter" : "Add filter"} size={440}>
      <FilterForm onClose={onClose} {...rest} />
    </Dialog>
  );
}

/** Placeholder until a field is selected. */
const emptyFilter: FieldFilter = {
  id: "",
  name: "",
  display: "",
  description: "",
  required: false,
  type: "STRING",
  value: "",
  operator: "=",
  preFilled: false,
};

function FilterForm({ offered, edited, suggested, onClose, onDone }: Omit<FilterDialogProps, "opened">) {
  const id = useId();
  const choices = filterChoices(offered, edited);
  const only = choices.length === 1 ? choices[0] : undefined;
  const [initial] = useState<FieldFilter>(edited ?? suggested ?? only ?? emptyFilter);
  const [draft, setDraft] = useState(initial);
  // A chosen field is quickly chosen again.
  useUnsavedChanges(edited ? !sameContent(draft, initial) : draft.value !== initial.value);
  const [touched, setTouched] = useState(false);
  const problem = filterProblem(draft);
  const valid = draft.name !== "" && hasValue(draft) && problem === undefined;
  const shownProblem = touched ? problem : undefined;
  const operators = draft.value === null ? emptyOperators : allowedOperators(draft);

  const choose = (chosenId: string) => {
    const chosen = choices.find((filter) => filter.id === chosenId);
    if (!chosen || chosenId === draft.id) return;
    // Keep a value typed before the field was changed if it is still valid.
    const allowed = allowedOperators(chosen);
    const operator = allowed.includes(draft.operator) ? draft.operator : (allowed[0] ?? chosen.operator);
    const changed = { ...chosen, operator, value: draft.value === null && !canBeEmpty(chosen) ? "" : draft.value };
    setDraft(filterProblem(changed) === undefined ? changed : { ...changed, value: "" });
    setTouched(false);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // The dialog is inside the search form in React's tree, so its submit would bubble to it.
        event.stopPropagation();
        setTouched(true);
        if (!valid) return;
        onDone(draft);
        onClose();
      }}
    >
      <Select
        label="Field"
        placeholder="Choose a field"
        searchable
        selectFirstOptionOnChange
        allowDeselect={false}
        value={draft.id === "" ? null : draft.id}
        onChange={(chosenId) => chosenId !== null && choose(chosenId)}
        data={choices.map((filter) => ({ value: filter.id, label: filter.display }))}
        nothingFoundMessage="No field matches"
        maxDropdownHeight={288}
        data-autofocus={draft.name === "" || undefined}
      />
      <Flex gap="sm" mt="md">
        <NativeSelect
          label="Operator"
          className={classes["filterDialogOperator"] ?? ""}
          value={draft.operator}
          onChange={(event) => {
            const operator = operators.find((candidate) => candidate === event.currentTarget.value);
            if (operator) setDraft({ ...draft, operator });
          }}
          data={[...operators]}
        />
        <Box flex={1} miw={0}>
          <div className={classes["filterDialogLabel"]}>
            <label htmlFor={id}>Value</label> {zoneNote(draft) && <small>{zoneNote(draft)}</small>}
          </div>
          <FilterValueInput
            key={draft.type}
            id={id}
            filter={draft}
            problem={shownProblem}
            describedBy={shownProblem === undefined ? undefined : `${id}-problem`}
            onChange={(value) => {
              setTouched(false);
              setDraft({ ...draft, value });
            }}
            onBlur={() => runAfterPointerUp(() => setTouched(true))}
            hasInitialFocus={draft.name !== ""}
          />
        </Box>
      </Flex>
      {shownProblem !== undefined && (
        <p id={`${id}-problem`} className={classes["filterDialogProblem"]}>
          {shownProblem}
        </p>
      )}
      {draft.name !== "" && canBeEmpty(draft) && (
        <Checkbox
          mt="sm"
          label="Empty"
          description={draft.operator === "<>" && draft.value === null ? "Keeps rows that have a value." : "Keeps rows without a value."}
          checked={draft.value === null}
          onChange={(event) => {
            setTouched(false);
            setDraft(event.currentTarget.checked ? emptied(draft) : { ...draft, value: "" });
          }}
        />
      )}
      {draft.description !== "" && <p className={classes["filterDialogAbout"]}>{draft.description}</p>}
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={!valid}>
          {edited ? "Save filter" : "Add filter"}
        </Button>
      </Group>
    </form>
  );
}
